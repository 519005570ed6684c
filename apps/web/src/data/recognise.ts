/** What a sentence says of a benchmark. What it does not say is absent. */
export interface Recognised {
  readonly repository?: string;
  readonly data?: string;
  readonly target?: string;
  readonly task?: 'classification' | 'regression';
  /** It asks for something that is no benchmark. */
  readonly notYet: boolean;
}

const dataFile = /\.(csv|tsv|json|jsonl|ndjson)(\.(gz|zip|bz2|xz|zst))?$/i;
const benchmark =
  /\b(benchmark|evaluat\w*|assess|score|measure|test|predict\w*|classif\w+|regress\w*)\b|评测|评估|测试|预测|分类|回归/i;
const otherGoal =
  /\b(reproduc\w*|replicat\w*|writ\w+|translat\w*|summari[sz]\w*|review\w*|survey|draft\w*|fix|edit\w*|explain\w*|train|install|paper|literature)\b|复现|撰写|写作|翻译|总结|综述|审阅|修改|解释|训练|论文/i;

/** Reads a sentence in English or Chinese: addresses and paths, "predict COLUMN", the kind of task. */
export function recognise(sentence: string): Recognised {
  const text = sentence.trim();
  const words = text.split(/[\s，。；、]+/u).map((word) => word.replace(/^["'“‘(]+|["'”’),.;:!?]+$/gu, ''));
  const repository = words.find(isRepository);
  const data = words.find((word) => word.startsWith('/') && dataFile.test(word));
  const target =
    /(?:\bpredict(?:ing|s)?\s+(?:the\s+)?(?:column\s+)?|\btarget(?:\s+(?:is|column))?\s*[:=]?\s*|预测(?:列)?\s*)["“'‘]?([^\s"”'’,.;，。；]+)/iu.exec(
      text,
    )?.[1];
  const said = words.filter((word) => !isRepository(word) && !dataFile.test(word)).join(' ');
  const task = /\bclassif(y|ication)\b|分类/i.test(said)
    ? 'classification'
    : /\bregress\w*\b|回归/i.test(said)
      ? 'regression'
      : undefined;
  const named = repository !== undefined || data !== undefined;
  const asksOther = otherGoal.test(said) && !/\bbenchmark|评测/i.test(text);
  return {
    ...(repository === undefined ? {} : { repository }),
    ...(data === undefined ? {} : { data }),
    ...(target === undefined ? {} : { target }),
    ...(task === undefined ? {} : { task }),
    notYet: text !== '' && (asksOther || (!named && !benchmark.test(text) && words.length > 2)),
  };
}

function isRepository(word: string): boolean {
  if (dataFile.test(word)) return false;
  return (
    /^pypi:\S+$/.test(word) ||
    /^(https?|ssh|git|file):\/\/\S+$/.test(word) ||
    /^git@\S+:\S+$/.test(word) ||
    /^\/\S+/.test(word)
  );
}

/** The host that is asked for a repository; undefined when it lies on this machine or is a package. */
export function hostOf(repository: string): string | undefined {
  const address = /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/\s]+)/.exec(repository)?.[1];
  return address ?? /^[\w.-]+@([\w.-]+):/.exec(repository)?.[1];
}
