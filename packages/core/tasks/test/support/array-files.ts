import { crc32, deflateRawSync } from 'node:zlib';

/** A NumPy file of the first format version. */
export function npy(descr: string, shape: readonly number[], values: Uint8Array, fortran = false): Buffer {
  const sizes = shape.length === 1 ? `${shape[0]},` : shape.join(', ');
  const text = `{'descr': '${descr}', 'fortran_order': ${fortran ? 'True' : 'False'}, 'shape': (${sizes}), }`;
  const header = `${text.padEnd(Math.ceil((10 + text.length + 1) / 64) * 64 - 11)}\n`;
  const start = Buffer.from('\x93NUMPY\x01\x00', 'latin1');
  const size = Buffer.alloc(2);
  size.writeUInt16LE(header.length);
  return Buffer.concat([start, size, Buffer.from(header, 'latin1'), values]);
}

export const bytesOf = (values: Float64Array | Float32Array | Int32Array | BigInt64Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength);

/** Texts as NumPy keeps them: of one width, four bytes a character. */
export function unicodeNpy(texts: readonly string[]): Buffer {
  const width = Math.max(...texts.map((text) => text.length));
  const codes = texts.flatMap((text) => Array.from({ length: width }, (_, at) => text.charCodeAt(at) || 0));
  return npy(`<U${width}`, [texts.length], bytesOf(Int32Array.from(codes)));
}

/** A zip archive of deflated files, as `numpy.savez_compressed` writes it. */
export function zip(files: Readonly<Record<string, Buffer>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(at, 10);
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), common, Buffer.from(name), packed);
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, entry, Buffer.from(name));
    at += 4 + common.length + name.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}
