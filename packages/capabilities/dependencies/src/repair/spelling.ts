/** True when two names differ by one letter that is missing, too many or another one, or by two that changed places. */
export function isSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1 || Math.min(a.length, b.length) < 4) return false;
  const start = a.split('').findIndex((letter, index) => letter !== b[index]);
  const at = start === -1 ? a.length : start;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  if (restA.slice(1) === restB || restA === restB.slice(1) || restA.slice(1) === restB.slice(1)) return true;
  return restA.slice(2) === restB.slice(2) && restA[0] === restB[1] && restA[1] === restB[0];
}
