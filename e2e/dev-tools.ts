import type { Frame } from '@playwright/test'

/** Stands for the extension of React's tools, in the page and in every frame of it. */
export const devTools = () => {
  const renderers: object[] = []
  const heard = (renderer: object) => renderers.push(renderer)
  const hook = { renderers, inject: heard, supportsFiber: true, isDisabled: false, checkDCE() {}, on() {} }
  Object.assign(hook, { onCommitFiberRoot() {}, onCommitFiberUnmount() {}, onPostCommitFiberRoot() {} })
  Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
}

/** What the tools of React and of federation find in a window: which builds of React draw, and which remotes are loaded. */
export const foundByTools = (at: Frame) =>
  at.evaluate(() => {
    type Remote = { name: string }
    const { __FEDERATION__: federation, __REACT_DEVTOOLS_GLOBAL_HOOK__: hook } = window as unknown as {
      __FEDERATION__?: { __INSTANCES__: { options: { remotes: Remote[] } }[] }
      __REACT_DEVTOOLS_GLOBAL_HOOK__: { renderers: { bundleType: number }[] }
    }
    const remotes = federation?.__INSTANCES__.flatMap(({ options }) =>
      options.remotes.map(({ name }) => name),
    )
    const renderers = hook.renderers.map(({ bundleType }) =>
      bundleType === 1 ? 'development' : 'production',
    )
    return { renderers, remotes }
  })
