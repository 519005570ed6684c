import type { DatasetColumn, LeakageWarning } from '@assay/contracts';
import type { Roles } from '../profile/choose-roles.ts';
import { plainName } from '../profile/suggest-columns.ts';
import { ENOUGH_ROWS, labelPower, numberPower } from './column-power.ts';
import { rowOrder } from './row-order.ts';
import type { RowSample } from './row-sample.ts';

export interface LeakageRequest {
  readonly fileName: string;
  readonly columns: readonly DatasetColumn[];
  readonly roles: Roles;
  readonly sample: RowSample;
  /** Rows that can be used. */
  readonly rows: number;
}

/** A column that alone is right so often needs no model. */
const NEARLY_ALWAYS = 0.98;
const NEARLY_EXACT = 0.999;
/** Columns that are compared with the target; of wider tables the first ones. */
const MOST_COLUMNS = 2_000;

const groupName =
  /(^|[_\s.-])(patient|subject|user|customer|client|person|participant|speaker|session|group|household|family|author|device|site|hospital|school|student|player|team|batch|store|sensor)s?([_\s.-]?(id|no|nr|number|code|key))?$/i;
const timeName = /(^|[_\s.-])(date|time|timestamp|datetime|day|month|year|created|updated)([_\s.-]?(at|on))?$/i;
const idName = /((^|[_\s.-])(id|uuid|guid|key|index|no|nr|serial)|编号|序号|学号)$/i;
const groupNameZh =
  /(患者|病人|受试者|被试|用户|客户|会员|参与者|说话人|会话|小组|组别|家庭|作者|设备|医院|学校|班级|学生|球员|球队|批次|门店|传感器)(id|编号|号|代码|姓名|名称|名)?$/i;
const timeNameZh = /(日期|时间|年份|月份|年月)$/;

/** Signs that a good result may come from something else than skill. The numbers are from a sample of the rows. */
export function findLeakage(given: LeakageRequest): LeakageWarning[] {
  const { target, inputs } = given.roles;
  const request = { ...given, inputs: new Set(inputs) };
  return [
    ...(target === undefined ? [] : targetSigns(request, target)),
    ...request.columns.flatMap((column) => columnSigns(request, column)),
  ];
}

interface Request extends LeakageRequest {
  readonly inputs: ReadonlySet<string>;
}

function targetSigns(request: Request, target: DatasetColumn): LeakageWarning[] {
  const { sample, roles, columns, fileName } = request;
  const targets = sample.column(target.position);
  const inputs = columns.filter(({ name }) => request.inputs.has(name));
  const repeats = inputs.filter(({ name }) => speaksOf(name, target.name));
  const order = rowOrder(targets, roles.task);
  return [
    ...inputs.slice(0, MOST_COLUMNS).flatMap((column) => power(request, column, { target, targets })),
    ...(repeats.length === 0
      ? []
      : [
          warning(
            'target-in-name',
            repeats,
            `${list(repeats)} ${repeats.length === 1 ? 'is' : 'are'} named after the target "${target.name}": check that the answer does not stand in the question`,
          ),
        ]),
    ...(speaksOf(fileName, target.name)
      ? [warning('target-in-name', [target], `the file name ${fileName} names the target "${target.name}"`)]
      : []),
    ...(order === undefined
      ? []
      : [
          warning(
            'ordered-by-target',
            [target],
            `the rows are ordered by "${target.name}" (${order}): they are handed out shuffled and under new numbers, so that a row's place tells nothing about its label`,
          ),
        ]),
  ];
}

function power(
  { roles, sample }: LeakageRequest,
  column: DatasetColumn,
  { target, targets }: { readonly target: DatasetColumn; readonly targets: Float64Array },
): LeakageWarning[] {
  const values = sample.column(column.position);
  const numeric = column.inferredType === 'integer' || column.inferredType === 'number';
  const on = `on ${sampled(sample)}`;
  if (roles.task === 'regression') {
    const found = numeric ? numberPower(values, targets) : undefined;
    if (found === undefined || Math.max(found.line, found.order) < NEARLY_EXACT) return [];
    const how =
      found.line >= NEARLY_EXACT
        ? `lie on a straight line with "${target.name}"`
        : `rise or fall together with "${target.name}"`;
    return [warning('determines-target', [column], `the values of "${column.name}" ${how} ${on}: one gives the other`)];
  }
  const found = labelPower(values, targets, numeric);
  if (found === undefined || (numeric && idName.test(column.name)))
    return stemPower({ column, target, stems: sample.stems(column.position), targets, on });
  if (found.determines) {
    const how = found.oneToOne ? 'stand one to one with' : 'determine';
    const says = `the values of "${column.name}" ${how} the labels of "${target.name}" ${on}`;
    return [warning('determines-target', [column], `${says}: the answer may stand in the question under another name`)];
  }
  if (found.accuracy < NEARLY_ALWAYS || found.accuracy - found.baseline < 0.05) return [];
  const share = `${(100 * found.accuracy).toFixed(1)} %`;
  return [
    warning(
      'predicts-target',
      [column],
      `"${column.name}" alone tells "${target.name}" in ${share} ${on}, where the most frequent label is right in ${(100 * found.baseline).toFixed(1)} %`,
    ),
  ];
}

/** Names that differ from row to row may still hold the label: `cat_001`, or a path with the label's folder. */
function stemPower(request: {
  readonly column: DatasetColumn;
  readonly target: DatasetColumn;
  readonly stems: Float64Array;
  readonly targets: Float64Array;
  readonly on: string;
}): LeakageWarning[] {
  const { column, target, stems, targets, on } = request;
  const isNumber = column.inferredType === 'integer';
  if (isNumber && !idName.test(column.name)) return [];
  const found = labelPower(stems, targets, false);
  if (found === undefined || found.accuracy < NEARLY_ALWAYS || found.accuracy - found.baseline < 0.05) return [];
  const part = isNumber ? 'the last digit' : 'what stands beside the digits';
  const share = `${(100 * found.accuracy).toFixed(1)} %`;
  const says = `${part} in the values of "${column.name}" alone tells "${target.name}" in ${share} ${on}: the answer may stand in a name or number of the row`;
  return [warning('predicts-target', [column], says)];
}

/** Shorter names stand in longer words by accident, as age does in images. */
const LONG_NAME = 5;

/** Whether a name holds the name of the target: a short one as words of their own, a Chinese one anywhere. */
function speaksOf(name: string, targetName: string): boolean {
  const named = plainName(targetName);
  if (/\p{Script=Han}/u.test(named)) return named.length >= 2 && plainName(name).includes(named);
  if (named.length < 3) return false;
  if (named.length >= LONG_NAME) return plainName(name).includes(named);
  return ` ${wordsOf(name)} `.includes(` ${wordsOf(targetName)} `);
}

/** Words in lower case, parted by one space; `userAge` is two. */
function wordsOf(name: string): string {
  return name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ');
}

function columnSigns({ roles, inputs, sample, rows }: Request, column: DatasetColumn): LeakageWarning[] {
  const { name, inferredType: type } = column;
  if (name === roles.target?.name || rows < ENOUGH_ROWS) return [];
  const isInput = inputs.has(name);
  const differs = column.nonNull === rows && (!column.distinctExact || column.distinct === rows);
  if (isInput && differs && type !== 'number' && (idName.test(name) || countsUp(sample, column)))
    return [
      warning(
        'row-id',
        [column],
        `"${name}" differs in every row and looks like a number of the row, not like something to learn from: leave it out with --input`,
      ),
    ];
  const repeats = column.distinctExact && column.distinct >= 2 && column.distinct * 1.5 <= column.nonNull;
  const isGroup = groupName.test(name) || groupNameZh.test(name);
  if (name !== roles.group && isGroup && repeats && type !== 'number' && !sample.isStructured(column.position))
    return [
      warning(
        'group-like',
        [column],
        `"${name}" names ${column.distinct} groups of rows: rows of one group may stand on both sides of a random split; say --group ${quotedWord(name)} to keep them together`,
      ),
    ];
  const timeLike =
    type === 'date' || ((timeName.test(name) || timeNameZh.test(name)) && (type === 'integer' || type === 'number'));
  if (timeLike && name !== roles.time && column.distinct >= 2)
    return [
      warning(
        'time-like',
        [column],
        `"${name}" looks like a time: a random split lets a model learn from what came later; say --time ${quotedWord(name)} to train on what came before`,
      ),
    ];
  return [];
}

/** Whole numbers that grow by the same step from row to row. */
function countsUp(sample: RowSample, { position, inferredType }: DatasetColumn): boolean {
  if (inferredType !== 'integer') return false;
  const values = sample.column(position);
  const step = values[1]! - values[0]!;
  return step !== 0 && values.every((value, i) => i === 0 || step === value - values[i - 1]!);
}

function sampled(sample: RowSample): string {
  return sample.every === 1 ? `${sample.rows} rows` : `${sample.rows} sampled rows (every ${sample.every}th)`;
}

function warning(kind: LeakageWarning['kind'], columns: readonly DatasetColumn[], says: string): LeakageWarning {
  return { kind, columns: columns.map(({ name }) => name), says };
}

function list(columns: readonly DatasetColumn[]): string {
  const names = columns.slice(0, 5).map(({ name }) => `"${name}"`);
  return `${names.join(', ')}${columns.length > 5 ? ', …' : ''}`;
}

function quotedWord(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", `'\\''`)}'`;
}
