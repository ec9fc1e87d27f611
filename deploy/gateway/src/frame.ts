import { createHash } from 'node:crypto'
import { type Given, givenOf, inlineJson, readGiven } from '@portal/sdk/frame-page'
import type { ModuleBuild } from '@portal/sdk/manifest'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContext } from './context.ts'
import { admittedNow } from './live.ts'
import type { ModulesOrigin } from './modules-origin.ts'
import { developedAt, developedImages, developedRegistry, moduleName } from './override.ts'
import { forDevelopment, sendText, wantedLanguage } from './pages.ts'

/** The gateway's context, where isolated modules run. */
type Context = GatewayContext & { frames: ModulesOrigin }

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/**
 * The page in which an isolated module runs. It has no session; the portal gives it what it needs. The function that sends
 * it answers false if there is no such page.
 */
export function framePage({ frames, builds, live, read, developed }: Context) {
  const givenToFrames = new Map<string, Given>()

  /** What the portal may give to frames of a build. A build is immutable. */
  async function givenTo(build: ModuleBuild): Promise<Given> {
    const known = givenToFrames.get(build.base)
    if (known) return known
    const textOf = (file: string) => builds.text(build.base.slice('/modules/'.length) + file)
    const given = await givenOf(build, textOf, sha256)
    givenToFrames.set(build.base, given)
    return given
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<boolean> => {
    const { name, build } = request.params as { name: string; build: string }
    const { from, images } = request.query as { from?: string; images?: string }
    const locale = wantedLanguage(request)
    const page = frames.isOf(name, request) ? await read(`shell/isolated.${locale}.html`) : null
    if (!page) return false
    const send = async (html: string, registry: string) => {
      const inline = inlineJson('registry', registry)
      await sendText(
        request,
        reply,
        html.replace('__INLINE__', () => inline),
      )
      return true
    }
    const machine = developedAt(from, developed)
    if (machine && moduleName.test(name)) {
      // The module's own files come from that machine, and change all the time.
      const { given, withList } = readGiven(forDevelopment(page.text))
      const framed = { name, build, base: machine.base, images: developedImages(images) }
      reply.headers(frames.pageHeaders(framed, given))
      return send(withList(Object.keys(given)), developedRegistry(name, machine.base))
    }
    if ((await admittedNow(live, name, build)).length === 0) return false
    const text = await builds.text(`${name}/${build}/build.json`)
    if (!text) return false
    const built = readGiven(page.text)
    const details = JSON.parse(text) as ModuleBuild
    const given = { ...built.given, ...(await givenTo(details)) }
    reply.headers(frames.pageHeaders({ name, build, images: details.images }, given))
    return send(built.withList(Object.keys(given)), frames.registryOf(text))
  }
}
