/** Made of the OpenAPI page by npm run pages. */
export interface paths {
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Physicians in the order of adding, without signatures */
        get: operations["listPhysicians"];
        put?: never;
        /**
         * Add a physician
         * @description The same signed request again, byte for byte, gets the first answer with `Idempotent-Replayed: true`.
         */
        post: operations["createPhysician"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A physician with the active licenses */
        get: operations["getPhysician"];
        /**
         * Change a physician
         * @description Only the fields that are given change.
         */
        put: operations["updatePhysician"];
        post?: never;
        /**
         * Take a physician out of use
         * @description The record stays, inactive: routing passes it over.
         */
        delete: operations["deletePhysician"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/{id}/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The active licenses of a physician */
        get: operations["listPhysicianLicenses"];
        put?: never;
        /**
         * Add a license
         * @description The same signed request again, byte for byte, gets the first answer with `Idempotent-Replayed: true`.
         */
        post: operations["createPhysicianLicense"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/{id}/licenses/{lid}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a license
         * @description Only the fields that are given change.
         */
        put: operations["updatePhysicianLicense"];
        post?: never;
        /** Take a license out of use */
        delete: operations["deletePhysicianLicense"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/{id}/reactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a physician back into use
         * @description For keys with scope `admin`.
         */
        post: operations["reactivatePhysician"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/{id}/verify-license": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a physician holds an active, unexpired license in a state */
        get: operations["verifyLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The own profile with the active licenses */
        get: operations["getOwnProfile"];
        /**
         * Change the own profile
         * @description Contact data and signature; only the fields that are given change. What orders are signed with, and the platform, an office changes: here only the value that is there already passes.
         */
        put: operations["updateOwnProfile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/physicians/me/signature": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set the own signature */
        post: operations["setOwnSignature"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Readiness */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/route": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The physician for a platform and state, or whether one physician may prescribe there */
        get: operations["getRoute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/routing-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The rules, in the order in which routing tries them
         * @description For keys with scope `admin`.
         */
        get: operations["listRoutingRules"];
        put?: never;
        /**
         * Add a rule
         * @description For keys with scope `admin`. The same signed request again, byte for byte, gets the first answer with `Idempotent-Replayed: true`.
         */
        post: operations["createRoutingRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/routing-rules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change a rule
         * @description For keys with scope `admin`.
         */
        put: operations["updateRoutingRule"];
        post?: never;
        /**
         * Take a rule out of use
         * @description For keys with scope `admin`.
         */
        delete: operations["deleteRoutingRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        InternalError: {
            error: string;
            requestId: string;
        };
        License: {
            /** @description null: does not expire */
            expirationDate: string | null;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            licenseNumber: string;
            licenseType: ("MD" | "DO" | "NP" | "FNP" | "PA" | "APRN") | null;
            /** Format: uuid */
            physicianId: string;
            state: string;
        };
        LicenseChanges: {
            expirationDate?: string | null;
            licenseNumber?: string;
            licenseType?: ("MD" | "DO" | "NP" | "FNP" | "PA" | "APRN") | null;
            /** @description Two-letter state code, in either case */
            state?: string;
        };
        NewLicense: {
            expirationDate?: string | null;
            licenseNumber: string;
            licenseType?: ("MD" | "DO" | "NP" | "FNP" | "PA" | "APRN") | null;
            /** @description Two-letter state code, in either case */
            state: string;
        };
        NewPhysician: {
            addressCity?: string | null;
            addressLine1?: string | null;
            addressState?: string | null;
            addressZip?: string | null;
            deaNumber?: string | null;
            email?: string | null;
            emrPractitionerId?: string | null;
            fax?: string | null;
            firstName: string;
            lastName: string;
            npi: string;
            organization?: string | null;
            phone?: string | null;
            /**
             * @description `both` when left out
             * @enum {string}
             */
            platform?: "platform_a" | "platform_b" | "both";
            signatureImage?: string | null;
            /** @description Such as FNP-C, MD, DO, PA */
            suffix?: string | null;
        };
        NewRoutingRule: {
            /** Format: uuid */
            physicianId: string;
            /** @enum {string} */
            platform: "platform_a" | "platform_b";
            /** @description Higher wins */
            priority: number;
            /** @description Two-letter state code, in either case */
            state: string;
        };
        Physician: {
            addressCity: string | null;
            addressLine1: string | null;
            addressState: string | null;
            addressZip: string | null;
            deaNumber?: string | null;
            email: string | null;
            emrPractitionerId: string | null;
            fax: string | null;
            firstName: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            lastName: string;
            npi: string;
            organization: string | null;
            phone: string | null;
            /** @enum {string} */
            platform: "platform_a" | "platform_b" | "both";
            suffix: string | null;
        };
        PhysicianChanges: {
            addressCity?: string | null;
            addressLine1?: string | null;
            addressState?: string | null;
            addressZip?: string | null;
            deaNumber?: string | null;
            email?: string | null;
            emrPractitionerId?: string | null;
            fax?: string | null;
            firstName?: string;
            lastName?: string;
            npi?: string;
            organization?: string | null;
            phone?: string | null;
            /**
             * @description `both` when left out
             * @enum {string}
             */
            platform?: "platform_a" | "platform_b" | "both";
            signatureImage?: string | null;
            /** @description Such as FNP-C, MD, DO, PA */
            suffix?: string | null;
        };
        PhysicianWithSignature: {
            addressCity: string | null;
            addressLine1: string | null;
            addressState: string | null;
            addressZip: string | null;
            deaNumber?: string | null;
            email: string | null;
            emrPractitionerId: string | null;
            fax: string | null;
            firstName: string;
            /** Format: uuid */
            id: string;
            isActive: boolean;
            lastName: string;
            npi: string;
            organization: string | null;
            phone: string | null;
            /** @enum {string} */
            platform: "platform_a" | "platform_b" | "both";
            /** @description Base64 PNG, as it was handed in */
            signatureImage?: string | null;
            suffix: string | null;
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        Refusal: {
            error: string;
        };
        RoutingRule: {
            /** Format: uuid */
            id: string;
            isActive: boolean;
            /** Format: uuid */
            physicianId: string;
            /** @enum {string} */
            platform: "platform_a" | "platform_b";
            /** @description Higher wins */
            priority: number;
            state: string;
        };
        RoutingRuleChanges: {
            isActive?: boolean;
            /** Format: uuid */
            physicianId?: string;
            /** @enum {string} */
            platform?: "platform_a" | "platform_b";
            /** @description Higher wins */
            priority?: number;
            /** @description Two-letter state code, in either case */
            state?: string;
        };
        ValidationRefusal: {
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    listPhysicians: {
        parameters: {
            query?: {
                active?: string;
                cursor?: string;
                limit?: number;
                /** @description Compared without regard to case */
                organization?: string;
                /** @description Also finds physicians of both platforms */
                platform?: "platform_a" | "platform_b";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "physicians": [
                     *         {
                     *           "id": "0085d1e2-3dcb-5fe2-8106-009514c21faf",
                     *           "firstName": "Alex",
                     *           "lastName": "Rivera",
                     *           "suffix": "FNP-C",
                     *           "npi": "1234567893",
                     *           "deaNumber": null,
                     *           "phone": "+15185550140",
                     *           "fax": null,
                     *           "addressLine1": "210 Orchard Row",
                     *           "addressCity": "Albany",
                     *           "addressState": "NY",
                     *           "addressZip": "12207",
                     *           "emrPractitionerId": "5f0c2a7e-8d41-4b6a-9c33-1e7d2f60a001",
                     *           "email": "alex.rivera@example.test",
                     *           "organization": null,
                     *           "platform": "platform_a",
                     *           "isActive": true
                     *         }
                     *       ],
                     *       "nextCursor": "1"
                     *     }
                     */
                    "application/json": {
                        nextCursor: string | null;
                        physicians: components["schemas"]["Physician"][];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    createPhysician: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Blair",
                 *       "lastName": "Chen",
                 *       "npi": "3375026697",
                 *       "suffix": "MD",
                 *       "platform": "both"
                 *     }
                 */
                "application/json": components["schemas"]["NewPhysician"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "physician": {
                     *         "id": "85287360-f202-4e51-837a-419d81630a61",
                     *         "firstName": "Blair",
                     *         "lastName": "Chen",
                     *         "suffix": "MD",
                     *         "npi": "3375026697",
                     *         "deaNumber": null,
                     *         "phone": null,
                     *         "fax": null,
                     *         "addressLine1": null,
                     *         "addressCity": null,
                     *         "addressState": null,
                     *         "addressZip": null,
                     *         "emrPractitionerId": null,
                     *         "email": null,
                     *         "organization": null,
                     *         "platform": "both",
                     *         "isActive": true,
                     *         "signatureImage": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        physician: components["schemas"]["PhysicianWithSignature"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The e-mail address is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getPhysician: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "physician": {
                     *         "id": "85287360-f202-4e51-837a-419d81630a61",
                     *         "firstName": "Blair",
                     *         "lastName": "Chen",
                     *         "suffix": "MD",
                     *         "npi": "3375026697",
                     *         "deaNumber": null,
                     *         "phone": null,
                     *         "fax": null,
                     *         "addressLine1": null,
                     *         "addressCity": null,
                     *         "addressState": null,
                     *         "addressZip": null,
                     *         "emrPractitionerId": null,
                     *         "email": null,
                     *         "organization": null,
                     *         "platform": "both",
                     *         "isActive": true,
                     *         "signatureImage": null
                     *       },
                     *       "licenses": []
                     *     }
                     */
                    "application/json": {
                        licenses: components["schemas"]["License"][];
                        physician: components["schemas"]["PhysicianWithSignature"];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    updatePhysician: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhysicianChanges"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        physician: components["schemas"]["PhysicianWithSignature"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The e-mail address is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    deletePhysician: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        physician: components["schemas"]["PhysicianWithSignature"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    listPhysicianLicenses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "licenses": [
                     *         {
                     *           "id": "346be3c3-2606-42d4-8461-7cf625ffc7ba",
                     *           "physicianId": "85287360-f202-4e51-837a-419d81630a61",
                     *           "state": "WY",
                     *           "licenseNumber": "WY-1",
                     *           "expirationDate": "2099-12-31",
                     *           "licenseType": null,
                     *           "isActive": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        licenses: components["schemas"]["License"][];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    createPhysicianLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "state": "WY",
                 *       "licenseNumber": "WY-1",
                 *       "expirationDate": "2099-12-31",
                 *       "licenseType": null
                 *     }
                 */
                "application/json": components["schemas"]["NewLicense"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": {
                     *         "id": "346be3c3-2606-42d4-8461-7cf625ffc7ba",
                     *         "physicianId": "85287360-f202-4e51-837a-419d81630a61",
                     *         "state": "WY",
                     *         "licenseNumber": "WY-1",
                     *         "expirationDate": "2099-12-31",
                     *         "licenseType": null,
                     *         "isActive": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        license: components["schemas"]["License"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is an active license for the state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    updatePhysicianLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
                /** @description An id of ours */
                lid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LicenseChanges"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        license: components["schemas"]["License"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is an active license for the state */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    deletePhysicianLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
                /** @description An id of ours */
                lid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        license: components["schemas"]["License"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    reactivatePhysician: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        physician: components["schemas"]["PhysicianWithSignature"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    verifyLicense: {
        parameters: {
            query: {
                /** @description Two-letter state code, in either case */
                state: string;
            };
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        expirationDate: string | null;
                        /** @enum {boolean} */
                        licensed: true;
                        licenseNumber: string;
                        state: string;
                        type: ("MD" | "DO" | "NP" | "FNP" | "PA" | "APRN") | null;
                    } | {
                        /** @description YYYY-MM-DD, valid to its end */
                        expirationDate: string;
                        /** @enum {boolean} */
                        licensed: false;
                        /** @enum {string} */
                        reason: "License expired";
                        state: string;
                    } | {
                        /** @enum {boolean} */
                        licensed: false;
                        state: string;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        licenses: components["schemas"]["License"][];
                        physician: components["schemas"]["PhysicianWithSignature"];
                    };
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The key belongs to no physician */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    updateOwnProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhysicianChanges"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        licenses: components["schemas"]["License"][];
                        physician: components["schemas"]["PhysicianWithSignature"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The key belongs to no physician */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The e-mail address is taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    setOwnSignature: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description PNG of at most 512 KiB and 4,000 x 4,000 pixels in Base64, bare or as a data URI */
                    signatureImage: string;
                };
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The key belongs to no physician */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
        };
    };
    getRoute: {
        parameters: {
            query: {
                /** @description Asks whether this physician may prescribe there */
                physicianId?: string;
                platform: "platform_a" | "platform_b";
                /** @description Two-letter state code, in either case */
                state: string;
                /** @description `true`: the physician comes with `signatureImage` */
                withSignature?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "physician": {
                     *         "id": "0085d1e2-3dcb-5fe2-8106-009514c21faf",
                     *         "firstName": "Alex",
                     *         "lastName": "Rivera",
                     *         "suffix": "FNP-C",
                     *         "npi": "1234567893",
                     *         "deaNumber": null,
                     *         "phone": "+15185550140",
                     *         "fax": null,
                     *         "addressLine1": "210 Orchard Row",
                     *         "addressCity": "Albany",
                     *         "addressState": "NY",
                     *         "addressZip": "12207",
                     *         "emrPractitionerId": "5f0c2a7e-8d41-4b6a-9c33-1e7d2f60a001"
                     *       },
                     *       "licenseNumber": "NY-FNP-67893",
                     *       "priority": 10
                     *     }
                     */
                    "application/json": {
                        licenseNumber: string;
                        physician: {
                            addressCity: string | null;
                            addressLine1: string | null;
                            addressState: string | null;
                            addressZip: string | null;
                            deaNumber?: string | null;
                            emrPractitionerId: string | null;
                            fax: string | null;
                            firstName: string;
                            /** Format: uuid */
                            id: string;
                            lastName: string;
                            npi: string;
                            phone: string | null;
                            /** @description Base64 PNG, as it was handed in; only `withSignature` */
                            signatureImage?: string | null;
                            suffix: string | null;
                        };
                        priority: number;
                    } | {
                        physician: null;
                        reason: string;
                    } | {
                        /** @enum {boolean} */
                        authorized: true;
                        licenseNumber: string;
                    } | {
                        /** @enum {boolean} */
                        authorized: false;
                        reason: string;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    listRoutingRules: {
        parameters: {
            query?: {
                active?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rules: components["schemas"]["RoutingRule"][];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    createRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRoutingRule"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rule: components["schemas"]["RoutingRule"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description No such rule, or no such physician */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    updateRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoutingRuleChanges"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rule: components["schemas"]["RoutingRule"];
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description No such rule, or no such physician */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
    deleteRoutingRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        rule: components["schemas"]["RoutingRule"];
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description The request is malformed, or a field is wrong */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidationRefusal"];
                };
            };
            /** @description Nobody knows who asks */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Whoever asks may not do this */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description There is no such thing, or it is not the caller’s */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description The body is of a type that is not taken */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description Too many requests; `Retry-After` says when to ask again */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["Refusal"];
                };
            };
            /** @description A fault of ours; the same request may be sent again */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InternalError"];
                };
            };
        };
    };
}
