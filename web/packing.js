// A scenario that is not in the gallery travels inside the link: deflated, then base64url.

/** The longest packed text we put into a link. Longer ones are cut by chat programs and mail. */
export const linkLimit = 16 * 1024;
/** The most we unpack, so that a link cannot fill the memory. */
const textLimit = 4 * 1024 * 1024;

/** Why a text could not be packed or unpacked, in a sentence for the reader. */
export class PackingError extends Error {}

/**
 * @param {string} text
 * @returns {Promise<string>} letters, digits, - and _
 * @throws {PackingError} when the packed text is longer than linkLimit
 */
export async function pack(text) {
  const bytes = await drain(new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw')), Infinity);
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  const packed = btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (packed.length > linkLimit) {
    throw new PackingError(`The scenario takes ${kilo(packed.length)} in a link, and links end at ${kilo(linkLimit)}. Save the file and pass that on.`);
  }
  return packed;
}

/**
 * @param {string} packed
 * @returns {Promise<string>}
 * @throws {PackingError} when it is not what pack made
 */
export async function unpack(packed) {
  let binary;
  try {
    binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    throw new PackingError('The scenario inside the link has letters that cannot be in one. The link was changed or cut on its way.');
  }
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  try {
    const plain = await drain(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')), textLimit);
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch (err) {
    if (err instanceof PackingError) throw err;
    throw new PackingError('The scenario inside the link is damaged. The link was cut or changed on its way.');
  }
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @param {number} limit  bytes
 */
async function drain(stream, limit) {
  const parts = [];
  let size = 0;
  for (const reader = stream.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new PackingError(`The scenario inside the link is larger than ${kilo(limit)}.`);
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function kilo(bytes) {
  return bytes >= 1024 * 1024 ? `${Math.round(bytes / 1024 / 1024)} MB` : `${Math.round(bytes / 1024)} KB`;
}
