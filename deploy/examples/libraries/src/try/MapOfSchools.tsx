import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import icon from 'leaflet/dist/images/marker-icon.png'
import shadow from 'leaflet/dist/images/marker-shadow.png'
import { useEffect, useRef } from 'react'
import { regions } from './regions.ts'

// Leaflet looks for its images beside its style sheet, where the build does not leave them.
const pin = L.icon({ iconUrl: icon, shadowUrl: shadow, iconSize: [25, 41], iconAnchor: [12, 41] })

/** A map without tiles: what it shows is in the module's own files. */
export function MapOfSchools() {
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!box.current) return
    const map = L.map(box.current, { attributionControl: false }).setView([14, -6], 5)
    L.geoJSON(regions, { style: { weight: 1 } }).addTo(map)
    L.marker([13.4, -6.3], { icon: pin, title: 'Coura', alt: 'Coura' }).addTo(map)
    return () => void map.remove()
  }, [])
  return <section ref={box} className="map" aria-label="Map of schools" />
}
