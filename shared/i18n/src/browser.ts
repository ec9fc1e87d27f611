const browsers: [RegExp, string][] = [
  [/Edg\/(\d+)/, 'Edge'],
  [/OPR\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/(?:Headless)?Chrome\/(\d+)/, 'Chrome'],
  [/Firefox\/(\d+)/, 'Firefox'],
  [/Version\/(\d+).*Safari/, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** `Chrome 141, Windows` of a browser's own long name; the name itself, shortened, of anything else. */
export function browserName(userAgent: string): string {
  const system = systems.find(([sign]) => sign.test(userAgent))?.[1]
  for (const [sign, name] of browsers) {
    const version = sign.exec(userAgent)?.[1]
    if (version) return [`${name} ${version}`, system].filter(Boolean).join(', ')
  }
  return userAgent.length > 40 ? `${userAgent.slice(0, 39)}…` : userAgent
}
