import { build, startRegistry } from './test-registry.ts'

/** A registry in which mfe-health 1.0.0 and then 1.1.0 went live. */
export async function withTwoBuilds() {
  const started = await startRegistry()
  const [awa, moussa] = [await started.person('Awa'), await started.person('Moussa')]
  for (const version of ['1.0.0', '1.1.0']) {
    await awa.publish(build(version))
    await moussa.change('mfe-health', 'promote', { version })
  }
  return { ...started, awa, moussa }
}
