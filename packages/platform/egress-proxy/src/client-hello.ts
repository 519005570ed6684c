/** What the first bytes of a tunnel say. */
export type FirstBytes =
  | { readonly kind: 'incomplete' }
  /** A TLS greeting; the name it asks for, when it names one. */
  | { readonly kind: 'tls'; readonly serverName: string | undefined }
  | { readonly kind: 'other' };

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const RECORD_HEADER = 5;
const MAX_HELLO_BYTES = 64 * 1024;

/** Reads the server name of a TLS ClientHello (RFC 8446 section 4.1.2, RFC 6066 section 3), over several records too. */
export function readClientHello(bytes: Buffer): FirstBytes {
  const fragments: Buffer[] = [];
  let have = 0;
  for (let offset = 0; ;) {
    if (bytes.length > offset && bytes[offset] !== HANDSHAKE) return { kind: 'other' };
    if (bytes.length < offset + RECORD_HEADER) return { kind: 'incomplete' };
    const length = bytes.readUInt16BE(offset + 3);
    if (length === 0) return { kind: 'other' };
    const fragment = bytes.subarray(offset + RECORD_HEADER, offset + RECORD_HEADER + length);
    fragments.push(fragment);
    have += fragment.length;
    const message = Buffer.concat(fragments, have);
    if (message.length >= 1 && message[0] !== CLIENT_HELLO) return { kind: 'other' };
    const size = message.length >= 4 ? message.readUIntBE(1, 3) + 4 : Number.POSITIVE_INFINITY;
    if (size !== Number.POSITIVE_INFINITY && size > MAX_HELLO_BYTES) return { kind: 'other' };
    if (message.length >= size) return parseHello(message.subarray(4, size));
    if (fragment.length < length) return { kind: 'incomplete' };
    offset += RECORD_HEADER + length;
  }
}

function parseHello(body: Buffer): FirstBytes {
  try {
    let offset = 2 + 32;
    offset += 1 + body.readUInt8(offset); // session id
    offset += 2 + body.readUInt16BE(offset); // cipher suites
    offset += 1 + body.readUInt8(offset); // compression methods
    if (offset === body.length) return { kind: 'tls', serverName: undefined };
    const end = offset + 2 + body.readUInt16BE(offset);
    offset += 2;
    if (end > body.length) return { kind: 'other' };
    while (offset < end) {
      const [type, length] = [body.readUInt16BE(offset), body.readUInt16BE(offset + 2)];
      if (type === SERVER_NAME)
        return { kind: 'tls', serverName: serverNameIn(body.subarray(offset + 4, offset + 4 + length)) };
      offset += 4 + length;
    }
    return { kind: 'tls', serverName: undefined };
  } catch {
    return { kind: 'other' }; // It ends in the middle of a field.
  }
}

function serverNameIn(list: Buffer): string | undefined {
  if (list.length < 5 || list.readUInt8(2) !== 0) return undefined;
  const length = list.readUInt16BE(3);
  return list.subarray(5, 5 + length).toString('latin1');
}
