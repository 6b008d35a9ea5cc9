/** Requests to the server, and its stream of events. Addresses are relative, so a proxy may put the page anywhere. */

import { load } from "./store.js";

/** The token that the server asks for. */
export const access = { token: load("token", "") };

/** An answer that is no success; `status` 0: the connection is lost. */
export class Failure extends Error {
  constructor(status, { message = "", hint = "", known = [], type = "" } = {}, wait = "") {
    super(message);
    Object.assign(this, { status, hint, known, type, wait });
  }
}

/** What comes over the network; where nothing does, a failure, unless `signal` has stopped it. */
const online = (coming, signal) => coming.catch((error) => { throw signal?.aborted ? error : new Failure(0); });

async function request(path, { body, signal } = {}) {
  const headers = {};
  if (access.token) headers.Authorization = `Bearer ${access.token}`;
  if (body) headers["Content-Type"] = "application/json";
  const method = body ? "POST" : "GET";
  const response = await online(fetch(path, { method, headers, body: body && JSON.stringify(body), signal }), signal);
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Failure(response.status, answer.error, response.headers.get("Retry-After") ?? "");
}

export const get = async (path) => (await request(path)).json();
export const post = async (path, body, as = "json") => online((await request(path, { body }))[as]());

/** Events of a stream. A stream that ends without `[DONE]` has lost its connection. */
export async function* stream(path, body, signal) {
  const response = await request(path, { body: { ...body, stream: true }, signal });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const read = await online(reader.read(), signal);
    if (read.done) throw new Failure(0);
    const blocks = (rest + decoder.decode(read.value, { stream: true })).split(/\r?\n\r?\n/);
    rest = blocks.pop();
    for (const block of blocks) {
      const data = block.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim()).join("\n");
      if (data === "[DONE]") return;
      if (!data) continue;
      const event = JSON.parse(data);
      if (event.type === "error") throw new Failure(-1, event.error);
      yield event;
    }
  }
}
