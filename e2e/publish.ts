import { place } from './stage/place.ts'
import { type Publishable, partner, publishInto, registryOf } from './stage/publishing.ts'

/** Publishes a build in the portal of the run. It waits for admission. */
export const publishBuild = (probe: Publishable): Promise<void> => publishInto(place.folder, probe)

/** Makes a build that was admitted live, as its team does. */
export async function promoteBuild({
  record: { name, version },
}: Pick<Publishable, 'record'>): Promise<void> {
  const registry = registryOf(place.folder)
  const { generation } = await registry.now()
  await registry.changes.promote({ by: partner, name, version, generation })
}

/** Makes a build live, in the portal's page or in a frame: what a partner's publishing ends in. */
export async function makeLive(probe: Publishable, { trusted = true } = {}): Promise<void> {
  await publishBuild(probe)
  const { name, build } = probe.record
  await registryOf(place.folder).admit({ by: 'administrator of journeys', name, build, trusted })
  await promoteBuild(probe)
}

/** Takes a module out of the portal of the run, if it is there: other tests find pages and lists without it. */
export async function takeOut(name: string): Promise<void> {
  const registry = registryOf(place.folder)
  const { modules } = await registry.now()
  if (modules.some((each) => each.name === name))
    await registry.changes.remove({ by: 'operator of journeys', name })
}
