/** What stays in this browser: settings and what was typed in localStorage, the last result in IndexedDB. */

const PREFIX = "rewrite.";

export function load(key, fallback) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + key)) ?? fallback;
  } catch {
    return fallback;
  }
}

export function save(key, value) {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch {
    // Full, or forbidden: the page works on without.
  }
}

function withStore(mode, act) {
  return new Promise((resolve) => {
    const opening = indexedDB.open("rewrite", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("runs");
    opening.onerror = () => resolve(undefined);
    opening.onsuccess = () => {
      const asked = act(opening.result.transaction("runs", mode).objectStore("runs"));
      asked.onsuccess = asked.onerror = () => resolve(asked.error ? undefined : asked.result);
      asked.transaction.oncomplete = () => opening.result.close();
    };
  });
}

/** Tables are too big for localStorage: 200 sentences of 30 candidates take megabytes. */
export const keepResult = (result) => withStore("readwrite", (store) => store.put(result, "last"));
export const keptResult = () => withStore("readonly", (store) => store.get("last"));
