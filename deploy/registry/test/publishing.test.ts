import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { integrityOf } from '../src/signing.ts'
import { build, generation, startRegistry } from './test-registry.ts'

describe('a partner', () => {
  test('publishes a build, somebody else promotes it, and it is live', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const built = build()
    expect(await awa.publish(built)).toMatchObject({ status: 201, body: { version: '1.0.0' } })
    expect((await registry.now()).modules.map(({ name }) => name)).toEqual(['mfe-users'])
    const promoted = await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    expect(promoted).toMatchObject({ status: 200, body: { generation: 2 } })
    const { modules } = (await awa.call('GET', '/registry/status')).body
    expect(modules).toMatchObject([
      { name: 'mfe-health', version: '1.0.0', state: 'live', published_by: 'Awa' },
      { name: 'mfe-users', state: 'live', published_by: 'Release' },
    ])
  })

  test('whose build was made before, with longer hashes of its files, publishes it and sees it live', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const { files } = build()
    const longer = Object.entries(files).map(([path, text]) => [path, integrityOf(text)])
    expect((await awa.publish(build('1.0.0', { files: Object.fromEntries(longer) }))).status).toBe(201)
    expect((await moussa.change('mfe-health', 'promote', { version: '1.0.0' })).status).toBe(200)
    expect((await registry.now()).modules.map(({ name }) => name)).toContain('mfe-health')
  })

  test('cannot promote what she has signed herself, also not with another key of hers', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const other = await person('AWA ')
    await awa.publish(build())
    for (const her of [awa, other]) {
      const refused = await her.change('mfe-health', 'promote', { version: '1.0.0' })
      expect(refused.status).toBe(403)
      expect(refused.body.message).toMatch(
        /published by Awa; somebody else promotes it: portal-module promote/,
      )
    }
    await moussa.change('mfe-health', 'promote', { version: '1.0.0' })
    await awa.publish(build('1.1.0'))
    const canary = await awa.change('mfe-health', 'promote', { version: '1.1.0', canary: { percent: 10 } })
    expect(canary.status).toBe(403)
    expect((await registry.now()).generation).toBe(2)
  })

  test('who publishes the same bytes again reads that they exist; other bytes need another version', async () => {
    const { person } = await startRegistry()
    const awa = await person('Awa')
    await awa.publish(build())
    const again = await awa.publish(build())
    expect(again.status).toBe(200)
    expect(again.body.message).toMatch(
      /^mfe-health 1\.0\.0 is published already, with these very files\. An administrator of the portal has admitted it;/,
    )
    const refused = await awa.publish(build('1.0.0', { title: { en: 'Health', fr: 'Santé' } }))
    expect(refused.status).toBe(409)
    expect(refused.body.message).toMatch(/published by Awa with other content.*raise the version/)
  })

  test('and another partner publish one version at the same time: one succeeds, the other is asked to raise the version', async () => {
    const { person, registry } = await startRegistry()
    const [awa, moussa] = [await person('Awa'), await person('Moussa')]
    const [hers, his] = [build('1.0.0', {}, { 'a.js': 'hers' }), build('1.0.0', {}, { 'a.js': 'his' })]
    for (const [who, what] of [
      [awa, hers],
      [moussa, his],
    ] as const) {
      await who.announce(what)
      await who.send(what)
    }
    const answers = await Promise.all([awa.commit(hers), moussa.commit(his)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(answers.find(({ status }) => status === 409)?.body.message).toMatch(
      /same moment|already|raise the version/,
    )
    const [record] = await registry.builds.list('mfe-health')
    const winner = answers.find(({ status }) => status === 201)?.body.build
    expect(record?.build).toBe(winner)
    const kept = readdirSync(
      join((await registry.store.file(`modules/mfe-health/${winner}/build.json`)) ?? '', '../..'),
    )
    expect(kept).toEqual([winner])
  })

  test('whose two commits of a build meet reads twice that it is published', async () => {
    let meanwhile: (() => Promise<unknown>) | undefined
    const { person, registry } = await startRegistry((store) => ({
      ...store,
      exists: async (file) => {
        const act = file.startsWith('uploads/mfe-health/') ? meanwhile : undefined
        if (act) meanwhile = undefined
        await act?.()
        return store.exists(file)
      },
    }))
    const awa = await person('Awa')
    const built = build()
    await awa.announce(built)
    await awa.send(built)
    meanwhile = async () => expect(await awa.commit(built)).toMatchObject({ status: 201 })
    expect(await awa.commit(built)).toMatchObject({
      status: 200,
      body: {
        message: expect.stringMatching(/^mfe-health 1\.0\.0 is published already, with these very files/),
      },
    })
    expect(await registry.builds.list('mfe-health')).toHaveLength(1)
  })

  test('with a key for another module, or without the right, is told whom to ask', async () => {
    const { person } = await startRegistry()
    const visitor = await person('Binta', ['mfe-water'])
    const refused = await visitor.publish(build())
    expect(refused.status).toBe(403)
    expect(refused.body.message).toMatch(/is for mfe-water, not for mfe-health.*key:grant/)
    const reader = await person('Carla', ['mfe-health'], ['promote'])
    const second = await reader.publish(build())
    expect(second.status).toBe(403)
    expect(second.body.message).toMatch(/may promote, but not publish/)
  })

  test('whose key is unknown, taken back or revoked is refused before anything is read', async () => {
    const { app, person, registry } = await startRegistry()
    const awa = await person('Awa')
    const known = await registry.keys.read('awa')
    if (!known) throw new Error('no key')
    await registry.keys.replace({ ...known, retired: true })
    expect((await awa.publish(build())).status).toBe(401)
    await registry.keys.replace(known)
    await registry.revocations.revokeKey('awa', { by: 'operator', at: '', reason: 'lost' })
    expect((await awa.publish(build())).body.message).toMatch(/was taken back/)
    const unsigned = await app.inject({ method: 'POST', url: '/registry/uploads', payload: {} })
    expect(unsigned.statusCode).toBe(401)
  })

  test('whose file was changed during the upload reads which one, and nothing is published', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const built = build()
    await awa.announce(built)
    const tampered = await awa.send({ ...built, files: { ...built.files, 'page.js': 'evil()' } })
    expect(tampered).toMatchObject({ status: 422 })
    expect(tampered?.body.message).toMatch(/^page\.js arrived as sha256-.*build\.json says sha256-/)
    expect(await awa.commit(built)).toMatchObject({ status: 409, body: { missing: ['page.js'] } })
    expect(await registry.builds.list('mfe-health')).toEqual([])
    expect(await registry.store.list('modules/mfe-health')).toEqual([])
  })

  test('whose files are small only while they are packed is refused before the portal packs them', async () => {
    const { person, registry } = await startRegistry()
    const awa = await person('Awa')
    const large = `/* ${' '.repeat(9_000_000)} */`
    const built = build('1.0.0', {}, { 'a.js': large, 'b.js': large, 'c.js': large, 'd.js': large })
    expect(await awa.publishOnly(built)).toMatchObject({
      status: 422,
      body: {
        message: expect.stringMatching(
          /^The files and source maps are larger than 32 MiB before they are compressed/,
        ),
      },
    })
    expect(await registry.builds.list('mfe-health')).toEqual([])
    expect(await registry.store.list('uploads')).toEqual([])
  })

  test('who signs something else than she sends is refused', async () => {
    const { person } = await startRegistry()
    const awa = await person('Awa')
    const [honest, other] = [build(), build('1.0.0', {}, { 'evil.js': 'evil()' })]
    const answer = await awa.announce({ ...other, details: honest.details })
    expect(answer).toMatchObject({ status: 422 })
    expect(answer.body.message).toMatch(/not that of awa over name, version, build/)
  })

  test('whose call is replayed by somebody else is served once', async () => {
    const { app, person } = await startRegistry()
    const awa = await person('Awa')
    const sent: { authorization: string }[] = []
    app.addHook('onRequest', async (request) => {
      sent.push({ authorization: request.headers.authorization ?? '' })
    })
    await awa.change('mfe-users', 'disable')
    const replay = await app.inject({
      method: 'POST',
      url: '/registry/modules/mfe-users/disable',
      headers: { ...sent.at(-1), 'content-type': 'application/json' },
      payload: JSON.stringify({ generation: await generation(app) }),
    })
    expect(replay.statusCode).toBe(401)
    expect(replay.json().message).toMatch(/made already/)
  })
})
