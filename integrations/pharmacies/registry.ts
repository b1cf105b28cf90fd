import {
  type Pharmacy,
  pharmacies,
  type PharmacySystem,
  pharmacySystems,
  systemOf,
} from '../../domain/pharmacies.js';
import type { ServiceConfig } from '../../platform/config.js';
import type { PharmacyAdapter, PharmacySystemDefinition } from './adapter.js';
import { pharmacyA } from './pharmacy-a/adapter.js';
import { pharmacyB } from './pharmacy-b/adapter.js';

/** How each system is called. */
export const systems: Readonly<Record<PharmacySystem, PharmacySystemDefinition>> = {
  pharmacy_a: pharmacyA,
  pharmacy_b: pharmacyB,
};

/** Every pharmacy; one without a system of its own has that of the other. */
export type Pharmacies = Readonly<Record<Pharmacy, PharmacyAdapter>>;

/** The pharmacies as the router's settings name them. */
export function createPharmacies(settings: ServiceConfig<'router'>): Pharmacies {
  const created = Object.fromEntries(
    pharmacySystems.map((system) => [system, systems[system].create(settings)]),
  ) as Record<PharmacySystem, PharmacyAdapter>;
  return Object.fromEntries(pharmacies.map((pharmacy) => [pharmacy, created[systemOf(pharmacy)]])) as Record<
    Pharmacy,
    PharmacyAdapter
  >;
}
