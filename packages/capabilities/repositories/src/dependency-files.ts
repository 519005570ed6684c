const dependencyFile =
  /(^|\/)(requirements[^/]*\.(txt|in)|environment\.ya?ml|conda\.ya?ml|pyproject\.toml|setup\.(py|cfg)|Pipfile(\.lock)?|poetry\.lock|uv\.lock|pdm\.lock|package\.json|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|Cargo\.toml|go\.mod|Gemfile|DESCRIPTION|Project\.toml|Dockerfile)$/;

/** True for a file that declares what a repository needs, at most two folders deep. */
export function isDependencyFile(path: string): boolean {
  return dependencyFile.test(path) && path.split('/').length <= 3;
}
