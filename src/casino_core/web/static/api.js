// Requests to the server of the page.

async function answered(response) {
  let fields = {};
  try { fields = await response.json(); } catch { fields = { error: `no answer (${response.status})` }; }
  if (!response.ok) throw new Error(fields.error || `error ${response.status}`);
  return fields;
}

export async function get(path) {
  return answered(await reached(fetch(path)));
}

export async function post(path, fields = {}, signal = undefined) {
  return answered(await reached(sent(path, fields, signal)));
}

function sent(path, fields, signal) {
  return fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(fields),
    signal,
  });
}

async function reached(promise) {
  try { return await promise; } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("the server does not answer; is casino-core web still running?");
  }
}

// Calls `each` with every line of JSON of the answer, as they come.
export async function lines(path, fields, each, signal) {
  const response = await reached(sent(path, fields, signal));
  if (!response.ok) return answered(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return undefined;
    text += value;
    const parts = text.split("\n");
    text = parts.pop();
    for (const part of parts) if (part) each(JSON.parse(part));
  }
}
