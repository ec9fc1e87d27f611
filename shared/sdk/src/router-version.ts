import router from 'react-router-dom/package.json' with { type: 'json' }

/** Version of the router that the shell gives to modules. */
export const routerVersion: string = router.version
