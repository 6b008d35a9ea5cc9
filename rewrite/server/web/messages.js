/** What the interface says: English, Russian. `{name}` is filled in. */

const MESSAGES = {
  skip: ["Skip to the rewrite", "К переписанному тексту"], task: ["Task", "Задача"], "task.simplify": ["Simplify", "Упростить"],
  "task.split": ["Split", "Разбить"], "task.compress": ["Shorten", "Сократить"], language: ["Language", "Язык"],
  "lang.auto": ["by the text", "по тексту"], "lang.ru": ["Russian", "русский"], "lang.en": ["English", "английский"], go: ["Rewrite", "Переписать"],
  goAgain: ["Rewrite again", "Переписать заново"], goOn: ["Go on", "Продолжить"], cancel: ["Cancel", "Остановить"],
  progress: ["Sentences done", "Готово предложений"], doneOf: ["{done} of {all}", "{done} из {all}"], starting: ["Starting …", "Начинаю…"],
  changedOf: ["Sentences changed: {done} of {all}", "Изменено предложений: {done} из {all}"], yours: [", by your hand: {n}", ", вами: {n}"],
  cancelled: ["Cancelled. What is done stays.", "Остановлено. Готовое осталось."], stale: ["The text has changed since.", "Текст изменён с тех пор."],
  source: ["Your text", "Ваш текст"], editText: ["Edit text", "Править текст"], editDone: ["Back to the sentences", "К предложениям"],
  textHint: ["Paste or type the text here.", "Вставьте или наберите текст."], more: ["Protected words and options", "Защищённые слова и настройки"],
  keep: ["Words that every rewrite keeps: one a line, or with commas", "Слова, которые нельзя трогать: по одному в строке или через запятую"],
  keepHint: ["force majeure, Rosstat", "форс-мажор, Росстат"], keptCount: ["kept: {n}", "защищено: {n}"], result: ["Rewrite", "Результат"],
  view: ["View", "Вид"], "view.changes": ["Changes", "Правки"], "view.clean": ["Clean", "Начисто"], copy: ["Copy", "Копировать"],
  copied: ["Copied.", "Скопировано."], notCopied: ["The browser does not allow to copy.", "Браузер не даёт скопировать."],
  unkept: ["This browser keeps nothing: what you type is lost on reload.", "Браузер ничего не хранит: при перезагрузке текст пропадёт."],
  download: ["Download", "Скачать"], asText: ["Text (.txt)", "Текст (.txt)"], asWord: ["Word with tracked changes (.docx)", "Word с правками (.docx)"],
  asMarkdown: ["Markdown with changes (.md)", "Markdown с правками (.md)"], asJsonl: ["Data (.jsonl)", "Данные (.jsonl)"],
  step1: ["Paste a text and press “Rewrite”.", "Вставьте текст и нажмите «Переписать»."],
  step2: ["Move the knob between closer and simpler: the choice follows at once.", "Двигайте ползунок между «ближе» и «проще»: выбор меняется сразу."],
  step3: ["Click an edit to undo it, a sentence to see its alternatives.", "Щёлкните по правке, чтобы её отменить, по предложению — чтобы увидеть другие варианты."],
  example: ["Try an example", "Показать на примере"],
  exampleText: ["The committee, which had been established in 2004, was dissolved by the minister after it failed to publish its annual report. Prior to the commencement of the works, residents are requested to remove their vehicles.", "Данное мероприятие осуществляется в целях обеспечения безопасности граждан, проживающих в 12 районах города. В связи с проведением ремонтных работ движение транспорта будет ограничено до 15 мая."],
  sentences: ["Sentences", "Предложения"], sentence: ["Sentence {n}: alternatives", "Предложение {n}: варианты"],
  tune: ["What to aim for", "К чему стремиться"], knob: ["From closer to the source to simpler", "От близкого к исходному до простого"],
  closer: ["Closer", "Ближе"], "end.simplify": ["Simpler", "Проще"], "end.split": ["More split", "Дробнее"], "end.compress": ["Shorter", "Короче"],
  weights: ["All weights", "Все веса"],
  weightsNote: ["The more weight, the more it decides; 0 leaves it out.", "Чем больше вес, тем важнее составляющая; 0 — не учитывается."],
  own: ["own weights", "свои веса"], preset: ["Preset", "Набор"], "preset.served": ["default", "по умолчанию"],
  "preset.balanced": ["balanced", "ровный"], "preset.accurate": ["accurate", "точный"], "preset.simple": ["simple", "простой"],
  "preset.clear": ["clear", "ясный"], "preset.paper": ["paper", "из статьи"], presetName: ["Name", "Название"], presetSave: ["Save", "Сохранить"],
  presetDownload: ["Download", "Скачать"], presetRemove: ["Remove", "Удалить"], saved: ["Saved as “{name}”.", "Сохранено как «{name}»."],
  learn: ["Weights from your choices", "Веса по вашим отметкам"],
  learnNote: ["Mark alternatives with ♡ “I prefer this one”: ten choices teach weights. Collected: {n}.", "Отмечайте варианты знаком ♡ «Мне больше нравится это»: по десяти отметкам подберутся веса. Собрано: {n}."],
  learnGo: ["Learn weights", "Подобрать веса"], forget: ["Forget choices", "Забыть отметки"],
  learnt: ["They agree with {after} of your {n} choices (before: {before}).", "Совпадает с вашими отметками: {after} из {n} (раньше {before})."],
  component: ["Component", "Составляющая"], now: ["Now", "Сейчас"], learned: ["Learnt", "Подобрано"], use: ["Use these weights", "Взять эти веса"],
  ease: ["Readability", "Удобочитаемость"], beforeAfter: ["in the source {before}, now {after}", "в исходном {before}, теперь {after}"],
  words: ["words a sentence", "слов в предложении"], grade: ["grade", "школьный класс"], rare: ["rare words", "редких слов"],
  replaced: ["“{before}” replaced by “{after}”", "«{before}» заменено на «{after}»"], deleted: ["“{before}” left out", "«{before}» убрано"],
  inserted: ["“{after}” put in", "добавлено «{after}»"], rejected: [", rejected", ", отменено"], checking: ["checking …", "проверяю…"],
  blockedHere: ["The guard would not let this pass: {why}", "Проверка такого не пропускает: {why}"], unchecked: ["not checked", "не проверено"],
  byHand: ["yours", "ваше"], whyThis: ["Why this one", "Почему так"], whyYours: ["You chose it.", "Это выбрали вы."],
  whyEdited: ["You put it together yourself:", "Вы составили это сами:"], whyGain: ["Better than the source: {list}.", "Лучше, чем в исходном: {list}."],
  whyLoss: ["Given up: {list}.", "Хуже, чем в исходном: {list}."], whyDropped: ["Left out: {list}.", "Выпало: {list}."],
  whySource: ["The source stands.", "Предложение осталось как было."], whyNone: ["There is no candidate.", "Вариантов нет."],
  whyAllBlocked: ["Every candidate is blocked.", "Все варианты отклонила проверка."],
  whyBelow: ["The best candidate scores {best}, less than the {needed} needed to replace it.", "Лучший вариант получает {best}, а для замены нужно {needed}."],
  whyAhead: ["Ahead of the next one by: {list}.", "Чем лучше следующего: {list}."], skipped: ["Passed over: {why}", "Пропущено: {why}"],
  failed: ["Not rewritten: {why}", "Не переписано: {why}"], auto: ["Back to automatic", "Вернуть выбор по весам"], close: ["Close", "Закрыть"],
  alternatives: ["Alternatives", "Варианты"], noAlternatives: ["No other candidate.", "Других вариантов нет."],
  asIs: ["As in the source", "Как в исходном"], prefer: ["I prefer this one", "Мне больше нравится это"],
  blocked: ["Blocked: {n}", "Отклонено проверкой: {n}"], ownText: ["Your own wording", "Своими словами"], ownUse: ["Use", "Взять"],
  scores: ["Scores", "Оценки"], score: ["score", "оценка"], inSource: ["Source", "Исходное"], inThis: ["This one", "Этот"], weight: ["Weight", "Вес"],
  plot: ["Meaning and simplicity of the alternatives", "Смысл и простота вариантов"], meaning: ["Meaning kept →", "Смысл сохранён →"],
  simplicity: ["Simplicity →", "Простота →"],
  plotHint: ["On the line: nothing is better in both. ○ is the source. Click or Enter takes.", "На линии — варианты, лучше которых нет сразу по обеим осям. ○ — исходное. Взять — щелчком или клавишей Enter."],
  point: ["meaning {x}, simplicity {y}", "смысл {x}, простота {y}"],
  lost: ["The connection is lost. What is done stays.", "Связь потеряна. Готовое осталось."],
  left: ["Sentences left: {left}.", "Осталось предложений: {left}."],
  lostAll: ["The server does not answer. Your text is kept here.", "Сервер не отвечает. Ваш текст сохранён здесь."], again: ["Try again", "Ещё раз"],
  busy: ["The server is busy.", "Сервер занят."], busyWait: ["Try again in {wait} s.", "Попробуйте через {wait} с."],
  needToken: ["The server asks for a token.", "Сервер требует токен (ключ доступа)."], send: ["Send", "Отправить"], token: ["Token", "Токен"],
  empty: ["There is no text yet.", "Текста ещё нет."], lacking: ["There is more with: {needs}", "Умеет больше, если установить: {needs}"],
  // What the server says stands beside these, in English.
  "error.TooMuch": ["", "Текст слишком велик для этого сервера."], "error.TimeOver": ["", "Сервер не успел за отведённое время."],
  "error.MissingExtra": ["", "На сервере не хватает пакета."], "error.ModelNotFound": ["", "На сервере нет нужной модели."],
  "error.WorkerFailed": ["", "На сервере произошёл сбой."], "error.Stopping": ["", "Сервер останавливается."],
  "error.BadOption": ["", "Настройка не подходит."], "error.BadInput": ["", "Текст не подходит."],
  wentWrong: ["Something went wrong ({status}).", "Что-то пошло не так ({status})."],
  "option.n": ["Candidates a sentence", "Вариантов на предложение"], "option.seed": ["Seed", "Начальное число (seed)"],
  "option.strict": ["Keep every number, name and date", "Сохранять все числа, имена и даты"],
  "option.ratio": ["Share of words to keep, 0 to 1", "Какую долю слов оставить, от 0 до 1"],
  "option.max_words": ["Words a sentence at most", "Слов в предложении, не больше"],
  "option.sentences": ["Sentences wanted of each", "Предложений из каждого"], "option.keep_entities": ["Keep all names", "Сохранять все имена"],
  "c.similarity": ["meaning", "смысл"], "c.entities": ["names kept", "имена на месте"], "c.lexical": ["common words", "простые слова"],
  "c.depth": ["flat syntax", "простой синтаксис"], "c.length": ["shortness", "краткость"], "c.readability": ["easy reading", "лёгкость чтения"],
  "c.structure": ["sentence holds together", "связность"], "c.brevity": ["short sentences", "короткие предложения"],
  "c.likelihood": ["natural wording", "естественность"], "c.caution": ["little risk", "осторожность"],
  "c.simplicity": ["simpler to readers", "проще читателю"], "c.consensus": ["agreement of drafts", "согласие вариантов"],
  "c.splits": ["being split", "разбивка"], "c.ratio": ["shortness", "краткость"], "c.coverage": ["content covered", "полнота"],
  "c.fluency": ["fluency", "гладкость"], "c.quality": ["overall quality", "качество в целом"], "c.grammar": ["grammar", "грамматика"],
  "c.content": ["content kept", "содержание"],
};

/** How the server's reasons, which are in English, begin in Russian; groups are the words concerned. Others stay as they are. */
const REASONS = [
  ["пропало защищённое слово", /^drops (.+), which is to be kept$/],
  ["потеряно отрицание", /^a denial is dropped$|^the source says (.+), the denial is lost$/],
  ["лишнее отрицание", /^(.+): the source does not deny this$|^denies (?:once more )?with (.+)$|^the source asserts/],
  ["в исходном это отрицается", /^the source denies (?:it: (.+)|(.+), the candidate what stands against it)$|^the source says not (.+), the candidate says/],
  ["в исходном лишь часть", /^the source says (.+), the candidate the whole$|^the source says one of the (.+)$/],
  ["не сказано, чьё", /^(.+): whose, the candidate does not say$/],
  ["в исходном это не о том", /^(.+): the source does not say so of this predicate$/],
  ["пропало, среди чего", /^the candidate leaves out among what it is (.+)$/],
  ["пропало, что вместо этого", /^the candidate leaves out what is true instead of (.+)$/],
  ["пропало", /^the source says (.+), the candidate does not$|^(?:the (?:date|unit of|superlative) )?(.+) is dropped$|^('.+') is gone$|^drops (.+)$|^lost (?:its \w+ |the clause with )?(.+)$/],
  ["в исходном нет", /^(?:the \w+ )?(.+?)(?: \(first\))? is not (?:quoted )?in the source$|^the source (?:does not (?:give|name|say)|has no) (.+)$|^adds (.+)$/],
  ["было и стало", /^the source \w+ (.+?)(?:, (?:the candidate|not) | of what the candidate says )(.+?)(?: of)?$/],
  ["в исходном иначе", /^(.+) is (?:not )?(?:what the source says|the source's unit|before our era in the source)$|^(.+) was most of it in the source$|^another \w+ of (.+)$|^the source bounds (.+) from/],
  ["поменялись местами", /^(.+) and (.+) have exchanged their roles$|the other way round$/], ["в исходном", /^the source (?:says the opposite,|gives|says|has|names)(?: the)? (.+?)(?: there| in the unit (.+))?$|^(.+) (?:is|has|belongs to) (.+) in the source$/],
  ["не хватает запятой", /comma .*(?:gone|it)$|^no comma before (.+)$/], ["слова не согласованы", /agree|this case/],
  ["одно без другого", /^a single (.+)$|^([^ ]*[а-яё][^ ]*) without (?:its|an infinitive) ?(.*)$/u],
  ["обрывается после союза или предлога", /conjunction|preposition/], ["нет сказуемого", /predicate/],
  ["разорвано устойчивое сочетание", /^(.+) is a fixed phrase$|fixed phrase/], ["ошибка в знаках препинания", /mark|never (?:closed|opened)/],
  ["предложение со строчной буквы", /capital letter/], ["повтор", /^(.+) stands twice$|repeated$/], ["пусто", /no word at all|^(.+) says nothing$/],
  ["предложений", /^(\d+) sentences?, not \d+$/], ["слишком длинно", /^(?:a sentence of .*)?more than /],
  ["слишком коротко", /^fewer than|^one word$|^no words$/], ["другой язык", /Cyrillic|^It does not look like|language of this text/],
  ["служебные символы", /^control characters$/], ["только прописные буквы", /all in capitals/], ["это не предложение", /^code$|^an item of a list/],
  ["изменено", /^.*?([«“'].+[»”']).*$/],
];

let language = 0;
export const ui = () => ["en", "ru"][language];
export const setUi = (name) => (language = name === "ru" ? 1 : 0);
export const t = (key, values = {}) => MESSAGES[key][language].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A component, option or preset by its own name where the interface has no other. */
export const known = (key) => key in MESSAGES;
export const named = (kind, name) => (known(`${kind}.${name}`) ? t(`${kind}.${name}`) : name);

const formats = {}; // making one costs a hundred times what using it does
const format = (d) => new Intl.NumberFormat(ui(), { minimumFractionDigits: d, maximumFractionDigits: d });
export const number = (value, d = 2) => (formats[ui() + d] ??= format(d)).format(value);
export const quoted = (text) => (language ? `«${text}»` : `“${text}”`);

export const weightShown = (weight) => number(weight, weight % 1 ? 2 : 0);

const BOUNDS = { under: "меньше", over: "больше", exactly: "ровно", before: "до", after: "после" };
const inRussian = (words) => words.replace(/^['“](.*)['”]$/u, "«$1»").replace(/^[a-z]+(?= |$)/, (word) => BOUNDS[word] ?? word);

export function reason(text) {
  const translated = (part) => {
    const [begins, pattern] = REASONS.find(([, known]) => known.test(part)) ?? [part, /^/];
    const words = part.match(pattern).slice(1).filter(Boolean).map(inRussian);
    return [begins, words.join(" → ")].filter(Boolean).join(": ");
  };
  return language && text ? text.split("; ").map(translated).join("; ") : text;
}
