import { inputsOf, matchColumn, textColumn } from './column-matching.ts';
import type { DatasetShape } from './candidate.ts';
import type { CodeIndex } from './code-index.ts';
import { fileFor } from './repository-files.ts';
import type { CommandOption } from './scan-result.ts';

/** What an option of a command line is for. */
export type OptionRole =
  | { readonly is: 'input' | 'output' | 'text' | 'skip' }
  /** A word that is given as it is: the name of a column, a format, a file of the repository. */
  | { readonly is: 'word'; readonly word: string }
  | { readonly is: 'column'; readonly column: string }
  | { readonly is: 'unknown' };

const inputNames =
  /^(in|inp|input|infile|inputs?_?(file|path|csv|data)?|file|filename|path|csv|data|dataset|data_?(file|path)|texts?_?(file|path)|src|source|test_?(file|data|path|csv)|from_file|documents?_?file|corpus|i|f|文件|输入|输入文件|数据)$/;
const outputNames =
  /^(out|output|outfile|outputs?_?(file|path|csv)?|dest|destination|save|save_?(to|path)?|results?_?(file|path)?|predictions?_?(file|path|csv)?|to_file|target_?file|o|输出|输出文件|结果)$/;
const textNames =
  /^(text|texts|sentence|message|msg|review|query|string|document|phrase|content|words?|input_?text|comment|tweet|title|headline|utterance|t|s|email|文本|句子|评论)$/;
const columnNames = /^((text|input|content|data|feature)?_?(col|column|field)(_?name)?s?|text_?key)$/;
const formatNames = /^(format|output_?format|fmt|out_?format)$/;

/** The plain name of an option: the longest one, without dashes. */
export function optionName({ names }: CommandOption): string {
  const longest = [...names].sort((a, b) => b.length - a.length)[0] ?? '';
  return longest.replace(/^-+/, '').replaceAll('-', '_').toLowerCase();
}

/** What an option is for, by its name, then by what its help and type say. */
export function optionRole(option: CommandOption, dataset: DatasetShape, index: CodeIndex): OptionRole {
  const name = optionName(option);
  const columns = inputsOf(dataset);
  if (option.isFlag) return { is: option.required ? 'unknown' : 'skip' };
  const column = matchColumn(name, columns);
  const text = textColumn(columns);
  const says = option.help;
  const isFile =
    /(FileType|File|Path|path)\b/.test(option.type) || /\b(file|path|csv|tsv|jsonl?)\b|文件|路径/i.test(says);
  const writes = /FileType\(w|File\(w/.test(option.type);
  if (columnNames.test(name) && text !== undefined) return { is: 'word', word: text.name };
  if (outputNames.test(name) || writes) return { is: 'output' };
  if (inputNames.test(name))
    return { is: isFile || !/\b(text|sentence|message)\b|句子/i.test(says) ? 'input' : 'text' };
  if (column !== undefined && !isFile) return column === text ? { is: 'text' } : { is: 'column', column: column.name };
  if (textNames.test(name))
    return { is: isFile && /file|path|文件/i.test(`${option.type} ${says}`) ? 'input' : 'text' };
  if (isFile && /\b(write|written|save|output|result|prediction)|保存|输出/i.test(says))
    return { is: option.required ? 'output' : 'skip' };
  if (isFile && option.required && !/model|weights|checkpoint|config/i.test(`${name} ${says}`)) return { is: 'input' };
  if (/\b(text|sentence|message|review|document)\b|文本|句子/i.test(says) && option.required) return { is: 'text' };
  return otherRole(option, name, index);
}

function otherRole(option: CommandOption, name: string, index: CodeIndex): OptionRole {
  const { choices } = option;
  if (formatNames.test(name) && choices !== null) {
    const best = ['jsonl', 'json', 'csv', 'plain', 'text', 'label'].find((choice) => choices.includes(choice));
    if (option.required && best !== undefined) return { is: 'word', word: best };
  }
  if (!option.required) return { is: 'skip' };
  const file = fileFor({ name, kind: 'positional', hasDefault: false, annotation: option.type }, index);
  return file === undefined ? { is: 'unknown' } : { is: 'word', word: file };
}
