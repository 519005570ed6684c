import type { Compression } from '@assay/contracts';

const magics: readonly { readonly compression: Compression; readonly bytes: readonly number[] }[] = [
  { compression: 'gzip', bytes: [0x1f, 0x8b, 8] },
  { compression: 'zip', bytes: [0x50, 0x4b, 3, 4] },
  { compression: 'bzip2', bytes: [0x42, 0x5a, 0x68] },
  { compression: 'xz', bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0] },
  { compression: 'zstd', bytes: [0x28, 0xb5, 0x2f, 0xfd] },
];

/** How a file is packed, by its first bytes; its name does not count. */
export function packingOf(head: Uint8Array): Compression | undefined {
  const found = magics.find(({ bytes }) => bytes.every((byte, i) => head[i] === byte));
  if (found?.compression !== 'bzip2') return found?.compression;
  // "BZh" alone could begin a header row: the level and the first block's mark follow.
  const level = head[3] ?? 0;
  return level >= 0x31 && level <= 0x39 && (head[4] === 0x31 || head[4] === 0x17) ? 'bzip2' : undefined;
}

const endings = /\.(gz|gzip|bz2|xz|zst|zstd)$/i;

/** The name that the unpacked file would have. */
export function unpackedName(name: string): string {
  return name.replace(endings, '');
}
