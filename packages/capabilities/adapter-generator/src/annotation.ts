/** A type annotation as a tree: `Sequence[Mapping[str, float]]` is a name with arguments. */
interface TypeNode {
  readonly name: string;
  readonly args: readonly TypeNode[];
}

/** What an annotation says about a parameter. */
export type AnnotatedShape =
  | { readonly kind: 'text' | 'bytes' | 'row' | 'number' | 'frame' | 'array' | 'unknown' }
  | { readonly kind: 'list'; readonly of: AnnotatedShape }
  | { readonly kind: 'unsupported'; readonly what: string };

export interface NameResolver {
  /** The text behind a type alias of the repository. */
  alias(name: string): string | undefined;
  /** How a class of the repository can be used: as a mapping (TypedDict), or only as an object. */
  classKind(name: string): 'mapping' | 'object' | undefined;
}

const DEPTH = 6;
const texts = new Set(['str', 'Text', 'AnyStr', 'LiteralString']);
const numbers = new Set(['float', 'int', 'Number', 'Real', 'complex', 'number', 'Union[int, float]']);
const mappings = new Set(['dict', 'Dict', 'Mapping', 'MutableMapping', 'OrderedDict', 'defaultdict', 'DefaultDict']);
const lists = new Set(
  [
    'list',
    'List',
    'Sequence',
    'MutableSequence',
    'Iterable',
    'Iterator',
    'Collection',
    'tuple',
    'Tuple',
    'set',
    'Set',
  ].concat(['Generator', 'deque', 'Deque']),
);
const files = new Set(['Path', 'PurePath', 'PathLike', 'IO', 'TextIO', 'BinaryIO', 'BytesIO', 'StringIO']);
const wrappers = new Set(['Optional', 'Union', 'Final', 'Annotated', 'Required']);

/** Reads an annotation's source text. Names of the repository are asked of `names`. */
export function annotatedShape(text: string, names: NameResolver, depth = 0): AnnotatedShape {
  const tree = parseType(text);
  return tree === undefined || depth > DEPTH ? { kind: 'unknown' } : shapeOf(tree, names, depth);
}

function shapeOf(type: TypeNode, names: NameResolver, depth: number): AnnotatedShape {
  const name = type.name.replace(/^(typing|t|collections\.abc|abc|collections)\./, '');
  const first = type.args.find((arg) => arg.name !== 'None' && arg.name !== '...');
  if (wrappers.has(name)) return union(type.args, names, depth);
  if (texts.has(name)) return { kind: 'text' };
  if (/^(bytes|bytearray|memoryview|ByteString)$/.test(name)) return { kind: 'bytes' };
  if (numbers.has(name)) return { kind: 'number' };
  if (mappings.has(name)) return { kind: 'row' };
  if (lists.has(name))
    return { kind: 'list', of: first === undefined ? { kind: 'unknown' } : shapeOf(first, names, depth) };
  if (files.has(name.replace(/^.*\./, ''))) return { kind: 'unsupported', what: 'a file' };
  if (/(^|\.)(ndarray|NDArray|ArrayLike)$/.test(name)) return { kind: 'array' };
  if (/(^|\.)DataFrame$/.test(name)) return { kind: 'frame' };
  if (/(^|\.)(Series|Tensor|Dataset)$/.test(name)) return { kind: 'unsupported', what: `a ${name}` };
  const alias = names.alias(name);
  if (alias !== undefined && alias !== name) return annotatedShape(alias, names, depth + 1);
  const kind = names.classKind(name);
  if (kind === 'mapping') return { kind: 'row' };
  return kind === 'object' ? { kind: 'unsupported', what: `objects of its class ${name}` } : { kind: 'unknown' };
}

/** `Optional[X]` and `int | float` have one shape; `str | list` has none. */
function union(args: readonly TypeNode[], names: NameResolver, depth: number): AnnotatedShape {
  const shapes = args.filter((arg) => arg.name !== 'None').map((arg) => shapeOf(arg, names, depth));
  const [first] = shapes;
  if (first === undefined) return { kind: 'unknown' };
  // Bytes and bytearray are one; of bytes and texts the text is handed over as it is.
  if (shapes.some(({ kind }) => kind === 'text') && shapes.every(({ kind }) => kind === 'text' || kind === 'bytes'))
    return { kind: 'text' };
  return shapes.every((shape) => JSON.stringify(shape) === JSON.stringify(first)) ? first : { kind: 'unknown' };
}

/** `A[B, C] | D` with quotes and nested brackets; undefined for what is not a type. */
function parseType(text: string): TypeNode | undefined {
  const tokens = text.replaceAll(/["'\s]/g, ' ').match(/[\w.]+|[[\],|]/g) ?? [];
  let at = 0;
  const parseUnion = (): TypeNode | undefined => {
    const options: TypeNode[] = [];
    do {
      const option = parseOne();
      if (option === undefined) return undefined;
      options.push(option);
    } while (tokens[at] === '|' && ++at > 0);
    return options.length === 1 ? options[0] : { name: 'Union', args: options };
  };
  const parseOne = (): TypeNode | undefined => {
    if (tokens[at] === '[') return { name: 'list', args: parseArgs() };
    const name = tokens[at];
    if (name === undefined || !/^[\w.]+$/.test(name)) return undefined;
    at += 1;
    return { name, args: tokens[at] === '[' ? parseArgs() : [] };
  };
  const parseArgs = (): TypeNode[] => {
    const args: TypeNode[] = [];
    at += 1;
    while (at < tokens.length && tokens[at] !== ']') {
      if (tokens[at] === ',') at += 1;
      const arg = parseUnion();
      if (arg === undefined) break;
      args.push(arg);
    }
    at += 1;
    return args;
  };
  return parseUnion();
}
