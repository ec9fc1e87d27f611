import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeModule, type TestModule } from './module.ts'

let module: TestModule
beforeAll(async () => {
  module = await makeModule()
}, 60_000)
afterAll(() => module.end())

/** The command as a Node of this version would run it. */
const asNode = (version: string) => {
  const script = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` }
}

test('somebody with an older Node is told so, and not by a test that fails for another reason', async () => {
  for (const old of ['20.20.2', '22.9.0']) {
    const { code, output } = await module.run(['--help'], undefined, asNode(old))
    expect({ code, output }).toMatchObject({
      code: 1,
      output: expect.stringContaining(`This is Node ${old}`),
    })
    expect(output).toContain('22.19 or later')
  }
  expect((await module.run(['--help'], undefined, asNode('22.19.0'))).code).toBe(0)
})
