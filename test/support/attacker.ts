/**
 * A repository whose code turns against the harness: `attack` runs at the first prediction of the formal run (more than
 * eight rows are asked for), inside the adapter's own process, with the output folder in `out` and the rows in `rows`.
 */
export function attacker(attack: string): Readonly<Record<string, string>> {
  return {
    'model.py': `import json, os, sys


def predict(row: dict) -> str:
    """Label of a row with the key "x"."""
    value = row["x"]
    if int(sys.argv[sys.argv.index("--limit") + 1]) > 8:
        attack()
    return "high" if value > 5 else "low"


def argument(name):
    return sys.argv[sys.argv.index(name) + 1]


def write(out, predictions, **changes):
    import hashlib
    with open(argument("--dataset"), "rb") as file:
        sha256 = hashlib.sha256(file.read()).hexdigest()
    with open(os.path.join(out, "predictions.jsonl"), "w") as file:
        file.write("".join(line + "\\n" for line in predictions))
    manifest = {"status": "ok", "dataset_sha256": sha256, "sample_count": 60, "seed": 17, "adapter": "x"}
    manifest.update(changes)
    with open(os.path.join(out, "run_manifest.json"), "w") as file:
        json.dump(manifest, file)


def good(rows):
    return [json.dumps({"row_index": row["row_index"], "prediction": "high"}) for row in rows]


def attack():
    out = argument("--output-dir")
    with open(argument("--dataset")) as file:
        rows = [json.loads(line) for line in file]
${attack
  .trim()
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`,
  };
}

/** Ends the adapter's process at once, as if its work were done. */
export const END = 'sys.stdout.flush(); os._exit(0)';
