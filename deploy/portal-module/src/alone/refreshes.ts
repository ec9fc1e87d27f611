import { development } from '@portal/sdk/development'

/**
 * Before React begins: it tells this hook of itself, and the runtime of React Fast Refresh, which comes with the module,
 * reads it there. The browser's tools for React bring the hook along.
 */
type Hook = { renderers: Map<number, unknown>; inject: (renderer: unknown) => number }

const page = window as { __REACT_DEVTOOLS_GLOBAL_HOOK__?: Hook }
const renderers: Hook['renderers'] = new Map()
page.__REACT_DEVTOOLS_GLOBAL_HOOK__ ??= Object.assign(
  { renderers, supportsFiber: true },
  {
    inject(renderer: unknown) {
      renderers.set(renderers.size + 1, renderer)
      return renderers.size
    },
    onCommitFiberRoot() {},
    onCommitFiberUnmount() {},
    onScheduleFiberRoot() {},
  },
)
development().refreshes = true
