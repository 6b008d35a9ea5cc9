/** What stays in this browser: settings and what was typed in web storage, results in IndexedDB. */

const PREFIX = "rewrite.";
/** What a tab has for itself comes back to it on reload; a new tab begins with what was saved last. */
const OWN = ["sessionStorage", "localStorage"];
const PLACES = { token: ["sessionStorage"], text: OWN, keep: OWN, hands: OWN };
const placesOf = (key) => PLACES[key] ?? ["localStorage"];

/** What `act` gives; `otherwise` where storage is forbidden or full, or what it holds was not written by this page. */
function attempt(act, otherwise) {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

export function load(key, fallback) {
  const found = placesOf(key).map((place) => attempt(() => JSON.parse(window[place].getItem(PREFIX + key)), null));
  return found.find((value) => value !== null) ?? fallback;
}

/** Whether it is kept. */
export function save(key, value) {
  const put = (place) => attempt(() => (window[place].setItem(PREFIX + key, JSON.stringify(value)), true), false);
  return placesOf(key).map(put).includes(true);
}

/** Resolves to undefined where the browser keeps nothing. The version is another one whenever results have another form. */
function withStore(mode, act) {
  return new Promise((resolve) => {
    const opening = indexedDB.open("rewrite", 2);
    opening.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion) opening.result.deleteObjectStore("runs");
      opening.result.createObjectStore("runs");
    };
    opening.onerror = () => resolve(undefined);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction("runs", mode);
      const asked = act(transaction.objectStore("runs"));
      transaction.oncomplete = transaction.onabort = () => (opening.result.close(), resolve(asked.result));
    };
  }).catch(() => undefined);
}

/** Tables are too big for web storage. The results of the last five runs stay, as tabs have one each. */
export const keepResult = (result) => withStore("readwrite", (store) => {
  store.getAllKeys().onsuccess = ({ target }) => target.result.slice(0, -5).forEach((id) => store.delete(id));
  return store.put(result, result.id);
});
export const keptResult = (id) => withStore("readonly", (store) => store.get(id));
