/** What the interface says: English, Russian. `{name}` is filled in. */

const MESSAGES = {
  skip: ["Skip to the rewrite", "К переписанному тексту"], task: ["Task", "Задача"],
  "task.simplify": ["Simplify", "Упростить"], "task.split": ["Split", "Разбить"],
  "task.compress": ["Shorten", "Сократить"], language: ["Language", "Язык"], "lang.auto": ["by the text", "по тексту"],
  "lang.ru": ["Russian", "русский"], "lang.en": ["English", "английский"], go: ["Rewrite", "Переписать"],
  goAgain: ["Rewrite again", "Переписать заново"], goOn: ["Go on", "Продолжить"], cancel: ["Cancel", "Отменить"],
  progress: ["Sentences done", "Готово предложений"], doneOf: ["{done} of {all}", "{done} из {all}"],
  starting: ["Starting …", "Начинаю…"],
  changedOf: ["Sentences changed: {done} of {all}", "Изменено предложений: {done} из {all}"],
  yours: [", by your hand: {n}", ", вами: {n}"],
  cancelled: ["Cancelled. What is done stays.", "Отменено. Готовое осталось."],
  stale: ["The text has changed since.", "Текст с тех пор изменился."], source: ["Your text", "Ваш текст"],
  editText: ["Edit text", "Править текст"], textHint: ["Paste or type the text here.", "Вставьте или наберите текст."],
  more: ["Protected words and options", "Слова под защитой и настройки"],
  keep: ["Words that every rewrite keeps: one a line, or with commas", "Слова, которые нельзя трогать: по одному в строке или через запятую"],
  keepHint: ["force majeure, Rosstat", "форс-мажор, Росстат"], keptCount: ["kept: {n}", "под защитой: {n}"],
  result: ["Rewrite", "Переписано"], view: ["View", "Вид"], "view.changes": ["Changes", "Правки"],
  "view.clean": ["Clean", "Начисто"], copy: ["Copy", "Копировать"], copied: ["Copied.", "Скопировано."],
  download: ["Download", "Скачать"], asText: ["Text (.txt)", "Текст (.txt)"],
  asMarkdown: ["Markdown with changes (.md)", "Markdown с правками (.md)"],
  asJsonl: ["Data (.jsonl)", "Данные (.jsonl)"],
  step1: ["Paste a text and press “Rewrite”.", "Вставьте текст и нажмите «Переписать»."],
  step2: ["Move the knob between closer and simpler: the choice follows at once.", "Двигайте ручку между «ближе» и «проще»: выбор меняется сразу."],
  step3: ["Click an edit to undo it, a sentence to see its alternatives.", "Щёлкните правку, чтобы её снять, предложение — чтобы увидеть другие варианты."],
  example: ["Try an example", "Показать на примере"],
  exampleText: [
    "The committee, which had been established in 2004, was dissolved by the minister after it failed to publish its annual report. Prior to the commencement of the works, residents are requested to remove their vehicles.",
    "Данное мероприятие осуществляется в целях обеспечения безопасности граждан, проживающих в 12 районах города. В связи с проведением ремонтных работ движение транспорта будет ограничено до 15 мая.",
  ], sentences: ["Sentences", "Предложения"], sentence: ["Sentence {n}: alternatives", "Предложение {n}: варианты"],
  tune: ["What to aim for", "К чему стремиться"],
  knob: ["From closer to the source to simpler", "От близкого к исходному до простого"], closer: ["Closer", "Ближе"],
  "end.simplify": ["Simpler", "Проще"], "end.split": ["More split", "Дробнее"], "end.compress": ["Shorter", "Короче"],
  weights: ["All weights", "Все веса"],
  weightsNote: ["The more weight, the more it decides; 0 leaves it out.", "Чем больше вес, тем больше он решает; 0 — не в счёт."],
  own: ["own weights", "свои веса"], preset: ["Preset", "Набор"], "preset.served": ["as served", "как у сервера"],
  "preset.balanced": ["balanced", "поровну"], "preset.accurate": ["accurate", "точно"],
  "preset.simple": ["simple", "просто"], "preset.clear": ["clear", "ясно"], "preset.paper": ["paper", "из статьи"],
  presetName: ["Name", "Название"], presetSave: ["Save", "Сохранить"], presetDownload: ["Download", "Скачать"],
  presetRemove: ["Remove", "Удалить"], saved: ["Saved as “{name}”.", "Сохранено как «{name}»."],
  learn: ["Weights from your choices", "Веса по вашим выборам"],
  learnNote: ["“I prefer this one” on alternatives collects choices; ten of them teach weights. Collected: {n}.", "«Мне больше нравится это» у вариантов собирает выборы; с десяти по ним учатся веса. Собрано: {n}."],
  learnGo: ["Learn weights", "Выучить веса"], forget: ["Forget choices", "Забыть выборы"],
  learnt: ["They agree with {after} of your {n} choices (before: {before}).", "Согласны с вашими выборами: {after} из {n} (раньше {before})."],
  component: ["Component", "Составляющая"], now: ["Now", "Сейчас"], learned: ["Learnt", "Выучено"],
  use: ["Use these weights", "Взять эти веса"], ease: ["Readability", "Читаемость"],
  beforeAfter: ["in the source {before}, now {after}", "в исходном {before}, теперь {after}"],
  words: ["words a sentence", "слов в предложении"], grade: ["grade", "класс"],
  rare: ["rare words", "редких слов"],
  replaced: ["“{before}” replaced by “{after}”", "«{before}» заменено на «{after}»"],
  deleted: ["“{before}” left out", "«{before}» убрано"], inserted: ["“{after}” put in", "добавлено «{after}»"],
  rejected: [", rejected", ", снято"], checking: ["checking …", "проверяю…"],
  blockedHere: ["The guard would not let this pass: {why}", "Проверка этого не пропустила бы: {why}"],
  unchecked: ["not checked", "не проверено"], byHand: ["yours", "ваше"], whyThis: ["Why this one", "Почему так"],
  whyYours: ["You chose it.", "Это выбрали вы."], whyEdited: ["You put it together yourself.", "Это составили вы."],
  whyGain: ["Better than the source: {list}.", "Лучше исходного: {list}."],
  whyLoss: ["Given up: {list}.", "Уступки: {list}."], whyDropped: ["Left out: {list}.", "Выпало: {list}."],
  whySource: ["The source stands.", "Предложение осталось как было."],
  whyNone: ["There is no candidate.", "Вариантов нет."],
  whyAllBlocked: ["Every candidate is blocked.", "Все варианты отклонила проверка."],
  whyBelow: ["The best candidate scores {best}, less than the {needed} needed to replace it.", "Лучший вариант получает {best}, а для замены нужно {needed}."],
  whyAhead: ["Ahead of the next one by: {list}.", "Следующий вариант хуже по: {list}."],
  skipped: ["Passed over: {why}", "Пропущено: {why}"], failed: ["Not rewritten: {why}", "Не переписано: {why}"],
  auto: ["Back to automatic", "Вернуть выбор по весам"], close: ["Close", "Закрыть"],
  alternatives: ["Alternatives", "Варианты"], noAlternatives: ["No other candidate.", "Других вариантов нет."],
  asIs: ["As in the source", "Как в исходном"], prefer: ["I prefer this one", "Мне больше нравится это"],
  blocked: ["Blocked: {n}", "Не пропущено: {n}"], ownText: ["Your own wording", "Своими словами"],
  ownUse: ["Use", "Взять"], scores: ["Scores", "Оценки"], score: ["score", "оценка"],
  inSource: ["Source", "Исходное"], inThis: ["This one", "Этот"], weight: ["Weight", "Вес"],
  plot: ["Meaning and simplicity of the alternatives", "Смысл и простота вариантов"],
  meaning: ["Meaning kept →", "Смысл сохранён →"], simplicity: ["Simplicity →", "Простота →"],
  plotHint: ["On the line: nothing is better in both. ○ is the source. Click or Enter takes.", "На линии — те, лучше которых в обоих нет. ○ — исходное. Щелчок или Enter: взять."],
  point: ["meaning {x}, simplicity {y}", "смысл {x}, простота {y}"],
  lost: ["The connection is lost. What is done stays; {left} sentences are left.", "Связь потеряна. Готовое осталось; не готово предложений: {left}."],
  lostAll: ["The server does not answer. Your text is kept here.", "Сервер не отвечает. Ваш текст сохранён здесь."],
  again: ["Try again", "Ещё раз"], busy: ["The server is busy.", "Сервер занят."],
  busyWait: ["Try again in {wait} s.", "Попробуйте через {wait} с."],
  needToken: ["The server asks for a token.", "Сервер просит токен."], send: ["Send", "Отправить"],
  token: ["Token", "Токен"], empty: ["There is no text yet.", "Текста ещё нет."],
  unavailable: ["Not installed: {needs}", "Не установлено: {needs}"],
  wentWrong: ["Something went wrong ({status}).", "Что-то пошло не так ({status})."],
  "option.n": ["Candidates a sentence", "Вариантов на предложение"], "option.seed": ["Seed", "Зерно случайности"],
  "option.strict": ["Keep every number, name and date", "Беречь каждое число, имя и дату"],
  "option.ratio": ["Share of words to keep", "Какую долю слов оставить"],
  "option.max_words": ["Words a sentence at most", "Слов в предложении, не больше"],
  "option.sentences": ["Sentences wanted of each", "Предложений из каждого"],
  "option.keep_entities": ["Keep all names", "Беречь все имена"], "c.similarity": ["meaning", "смысл"],
  "c.entities": ["names kept", "имена на месте"], "c.lexical": ["common words", "простые слова"],
  "c.depth": ["flat syntax", "простой синтаксис"], "c.length": ["shortness", "краткость"],
  "c.readability": ["easy reading", "лёгкость чтения"], "c.structure": ["sentence holds together", "связность"],
  "c.brevity": ["short sentences", "короткие предложения"], "c.likelihood": ["natural wording", "естественность"],
  "c.caution": ["little risk", "осторожность"], "c.simplicity": ["simpler to readers", "проще читателю"], "c.consensus": ["agreement of drafts", "согласие вариантов"],
  "c.splits": ["being split", "разбивка"], "c.ratio": ["shortness", "краткость"],
  "c.coverage": ["content covered", "полнота"], "c.fluency": ["fluency", "гладкость"],
  "c.quality": ["overall quality", "качество в целом"], "c.grammar": ["grammar", "грамматика"],
  "c.content": ["content kept", "содержание"],
};

/** How reasons of the guards, which are in English, read in Russian; others stay as they are. */
const REASONS = [
  [/^drops '(.+)', which is to be kept$/u, "пропало «$1», а это слово под защитой"],
  [/^a denial is dropped$/u, "пропало отрицание"],
  [/^the (number|year|date|name) (.+) is not in the source$/u, "в исходном нет: $2"],
  [/^(?:the date )?(.+) is dropped$/u, "пропало: $1"],
  [/^(.+) is not (?:quoted )?in the source$/u, "в исходном нет: $1"],
  [/^the source says (.+), the denial is lost$/u, "потеряно отрицание: $1"],
  [/^the source says (.+), (?:the candidate|not) (.+)$/u, "было: $1, стало: $2"],
];

let language = 0;
export const ui = () => ["en", "ru"][language];
export const setUi = (name) => (language = name === "ru" ? 1 : 0);
export const t = (key, values = {}) => MESSAGES[key][language].replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A component, option or preset by its own name where the interface has no other. */
export const named = (kind, name) => (`${kind}.${name}` in MESSAGES ? t(`${kind}.${name}`) : name);

const formats = {}; // making one costs a hundred times what using it does
const format = (d) => new Intl.NumberFormat(ui(), { minimumFractionDigits: d, maximumFractionDigits: d });
export const number = (value, d = 2) => (formats[ui() + d] ??= format(d)).format(value);
export const quoted = (text) => (language ? `«${text}»` : `“${text}”`);

export function reason(text) {
  if (!language) return text;
  const translated = (part) => {
    const rule = REASONS.find(([pattern]) => pattern.test(part));
    return rule ? part.replace(...rule) : part;
  };
  return text.split("; ").map(translated).join("; ");
}
