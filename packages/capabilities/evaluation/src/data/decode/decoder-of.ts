import { assertNever } from '@assay/foundation';
import type { DataEncoding } from '@assay/contracts';
import type { ByteDecoder } from './byte-decoder.ts';
import { MultiByteDecoder } from './multi-byte-decoder.ts';
import { SingleByteDecoder } from './single-byte-decoder.ts';
import { Utf8Decoder } from './utf8-decoder.ts';
import { WideDecoder } from './wide-decoder.ts';

/** A decoder of the encoding; `offset` = where its first byte stands in the file. */
export function decoderOf(encoding: DataEncoding, offset = 0): ByteDecoder {
  switch (encoding) {
    case 'utf-8':
      return new Utf8Decoder(offset);
    case 'utf-16le':
    case 'utf-16be':
    case 'utf-32le':
    case 'utf-32be':
      return new WideDecoder(encoding, offset);
    case 'gb18030':
    case 'big5':
    case 'shift_jis':
    case 'euc-jp':
    case 'euc-kr':
      return new MultiByteDecoder(encoding, offset);
    case 'windows-1252':
    case 'windows-1250':
    case 'windows-1251':
    case 'iso-8859-2':
    case 'koi8-r':
      return new SingleByteDecoder(encoding, offset);
    default:
      return assertNever(encoding, 'encoding');
  }
}
