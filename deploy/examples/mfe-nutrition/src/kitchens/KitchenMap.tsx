import { useLingui } from '@lingui/react/macro'
import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import type { AnswerOf } from '@portal/contracts/endpoint'
import icon from 'leaflet/dist/images/marker-icon.png'
import shadow from 'leaflet/dist/images/marker-shadow.png'
import { useEffect, useRef } from 'react'
import type { kitchens } from '../meals.ts'
import { tiles } from '../paths.ts'
import { regions } from './regions.ts'

const pin = L.icon({ iconUrl: icon, shadowUrl: shadow, iconSize: [25, 41], iconAnchor: [12, 41] })

/** The kitchens on a map. Its borders are in the module's own files, and its tiles come from the host under `images`. */
export function KitchenMap({ kitchens: all }: AnswerOf<typeof kitchens>) {
  const { t } = useLingui()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!box.current) return
    const map = L.map(box.current, { attributionControl: false }).setView([13.8, -6], 6)
    L.tileLayer(`${tiles}/{z}/{x}/{y}.png`).addTo(map)
    L.geoJSON(regions, { style: { weight: 1 } }).addTo(map)
    for (const { at, school } of all) L.marker(at, { icon: pin, title: school, alt: school }).addTo(map)
    return () => void map.remove()
  }, [all])
  return <section ref={box} className="map" aria-label={t`Map of kitchens`} />
}
