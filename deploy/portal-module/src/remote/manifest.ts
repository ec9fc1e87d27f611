import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { Refusal } from '../refusal.ts'

const Assets = v.object({ sync: v.array(v.string()), async: v.array(v.string()) })

/** The fields of `mf-manifest.json` that are read. `@module-federation/enhanced` writes it. */
const FederationManifest = v.object({
  name: v.string(),
  metaData: v.object({
    globalName: v.optional(v.string()),
    buildInfo: v.optional(v.object({ buildVersion: v.optional(v.string()) })),
    remoteEntry: v.object({ name: v.string(), path: v.optional(v.string(), ''), type: v.string() }),
    publicPath: v.optional(v.string()),
    getPublicPath: v.optional(v.string()),
  }),
  shared: v.array(
    v.object({
      name: v.string(),
      version: v.optional(v.string()),
      requiredVersion: v.optional(v.union([v.string(), v.boolean()])),
    }),
  ),
  exposes: v.array(v.object({ path: v.string(), assets: v.object({ js: Assets, css: Assets }) })),
})
export type FederationManifest = v.InferOutput<typeof FederationManifest>

/** Reads the manifest of a built remote. Refuses a remote that the portal cannot run, with the reason. */
export async function readFederationManifest(folder: string): Promise<FederationManifest> {
  const file = join(folder, 'mf-manifest.json')
  if (!existsSync(file))
    throw new Refusal(
      `${folder} has no mf-manifest.json: build the remote with manifest: true in its ModuleFederationPlugin, and name the folder of the finished build.`,
    )
  const found = v.safeParse(FederationManifest, parse(await readFile(file, 'utf8')))
  if (!found.success) {
    const [fault] = found.issues
    throw new Refusal(`mf-manifest.json: ${v.getDotPath(fault) ?? ''} ${fault.message}.`)
  }
  refuseForeign(found.output)
  return found.output
}

function refuseForeign({ name, metaData, shared, exposes }: FederationManifest) {
  const { remoteEntry, publicPath, getPublicPath } = metaData
  if (remoteEntry.type === 'module' || remoteEntry.type === 'esm')
    throw new Refusal(
      `${name} is a remote of ES modules, as Vite builds them: a browser loads those by import(), where the portal cannot hold every file against its hash. Build it with Rspack or webpack, whose remotes are scripts.`,
    )
  if (getPublicPath)
    throw new Refusal(
      `${name} makes its publicPath with a function, which needs new Function: the portal's policy forbids it. Take publicPath: 'auto'.`,
    )
  if (publicPath !== 'auto')
    throw new Refusal(
      `${name} was built for the address ${publicPath ?? '?'}: the portal serves it under one of its own. Take publicPath: 'auto'.`,
    )
  if (!shared.some((each) => each.name === 'react'))
    throw new Refusal(
      `${name} does not share react: a page has one React, the portal's. Add react and react-dom to shared, as singletons.`,
    )
  if (exposes.length === 0) throw new Refusal(`${name} exposes nothing.`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('mf-manifest.json is not JSON.')
  }
}
