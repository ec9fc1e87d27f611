import type { FeatureCollection } from 'geojson'

/** An outline, much simplified. */
export const regions: FeatureCollection = {
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties: { name: 'Ségou' },
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [-7, 12.8],
            [-4.4, 12.8],
            [-4.4, 14.8],
            [-7, 14.8],
            [-7, 12.8],
          ],
        ],
      },
    },
  ],
}
