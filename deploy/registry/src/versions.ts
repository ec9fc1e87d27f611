import semver from 'semver'

/** Whether a version is lower than another one by the order of package versions: 1.9.0 is older than 1.10.0. */
export function isOlder(version: string, than: string): boolean {
  return semver.valid(version) !== null && semver.valid(than) !== null && semver.lt(version, than)
}
