import { gzipSync } from 'node:zlib';
import * as zlib from 'node:zlib';

export interface Wheel {
  readonly name: string;
  readonly version: string;
  readonly requires?: readonly string[];
  /** Python source by path; a module of the package's name that holds its version when absent. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface Distribution {
  readonly file: string;
  readonly bytes: Buffer;
}

/** A wheel for every platform. */
export function wheel({ name, version, requires = [], files }: Wheel): Distribution {
  const module = name.replaceAll('-', '_');
  const info = `${module}-${version}.dist-info`;
  const needs = requires.map((one) => `Requires-Dist: ${one}\n`).join('');
  const content: Record<string, string> = {
    ...(files ?? { [`${module}/__init__.py`]: `version = "${version}"\n` }),
    [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n${needs}`,
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const listed = [...Object.keys(content), `${info}/RECORD`].map((path) => `${path},,\n`).join('');
  return { file: `${module}-${version}-py3-none-any.whl`, bytes: zip({ ...content, [`${info}/RECORD`]: listed }) };
}

/** A source distribution that is built by its own program: Python that runs before a wheel with one module is made. */
export function sourceDistribution(name: string, version: string, program: string): Distribution {
  const built = wheel({ name, version });
  const backend = `import base64, os
${program}
def get_requires_for_build_wheel(settings=None):
    return []
def build_wheel(folder, settings=None, metadata=None):
    with open(os.path.join(folder, "${built.file}"), "wb") as file:
        file.write(base64.b64decode("${built.bytes.toString('base64')}"))
    return "${built.file}"
`;
  const root = `${name.replaceAll('-', '_')}-${version}`;
  const files = {
    [`${root}/PKG-INFO`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: ${version}\n`,
    [`${root}/pyproject.toml`]: '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n',
    [`${root}/backend.py`]: backend,
  };
  return { file: `${root}.tar.gz`, bytes: gzipSync(tar(files)) };
}

/** A zip archive of stored files (APPNOTE 6.3). */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [path, text] of Object.entries(files)) {
    const [name, data] = [Buffer.from(path), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(33, 8); // 1 January 1980
    common.writeUInt32LE(zlib.crc32(data), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(data.length, 18);
    common.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    parts.push(Buffer.from('PK\u0003\u0004'), common, name, data);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\u0003'), common, place, name);
    offset += 4 + common.length + name.length + data.length;
  }
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, ...directory, Buffer.from('PK\u0005\u0006'), end]);
}

/** A tar archive of plain files (POSIX ustar). */
function tar(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = [];
  for (const [path, text] of Object.entries(files)) {
    const data = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(path, 0);
    header.write('0000644\u00000000000\u00000000000\u0000', 100);
    header.write(`${data.length.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0        0`, 124);
    header.write('ustar\u000000', 257);
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    );
    parts.push(header, data, Buffer.alloc((512 - (data.length % 512)) % 512));
  }
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}
