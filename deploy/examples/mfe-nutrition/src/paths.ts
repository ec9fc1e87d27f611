/** The addresses of this module, all below the route of its manifest. */
export const paths = { meals: '/admin/nutrition', kitchens: '/admin/nutrition/kitchens' }

/** The host of the map's tiles, which `images` of the manifest names. */
export const tiles = 'https://tiles.nutrition.example'
