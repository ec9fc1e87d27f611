import type { ModuleBuild } from '@portal/sdk/manifest'
import { Refusal } from '../refusal.ts'

/** Where the servers of a module are on this machine, by their names. */
export type OwnAddresses = ReadonlyMap<string, string>

const here = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is on this machine. A token of this command must not leave it, and neither must what a page sends. */
export const isHere = (address: string): boolean =>
  URL.canParse(address) &&
  /^https?:$/.test(new URL(address).protocol) &&
  here.includes(new URL(address).hostname)

/** Reads `--backend stock=http://127.0.0.1:4000`, once for each server. */
export function readAddresses(given: readonly string[] = []): OwnAddresses {
  return new Map(
    given.map((each) => {
      const [, name = '', address = ''] = /^([^=]+)=(.+)$/.exec(each) ?? []
      if (!isHere(address) || new URL(address).search || new URL(address).hash)
        throw new Refusal(
          `--backend ${each}: write the name of a server and its address on this machine, such as stock=http://127.0.0.1:4000.`,
        )
      return [name, new URL(address).href.replace(/\/$/, '')]
    }),
  )
}

/** The servers of the manifest that are called on this machine: those that were named, and those whose own address is here. */
export function addressesOf(
  { backends = [] }: Pick<ModuleBuild, 'backends'>,
  named: OwnAddresses,
): OwnAddresses {
  return new Map(
    backends.flatMap(({ name, url }) => {
      const address = named.get(name) ?? (isHere(url) ? url : undefined)
      return address ? [[name, address] as const] : []
    }),
  )
}

/** Names that the manifest does not declare are misspelt. */
export function refuseUnknown({ backends = [] }: Pick<ModuleBuild, 'backends'>, named: OwnAddresses): void {
  const known = backends.map(({ name }) => name)
  const [unknown] = [...named.keys()].filter((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Refusal(
      `--backend ${unknown}=…: portal.module.json has ${known.length ? `the servers ${known.join(', ')}` : 'no "backends"'}.`,
    )
}
