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
    "/v1/admin/workers/outbox/redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a window of time again
         * @description Every event that happened in it, to all its consumers, delivered ones too, under the same id and in the old order per record; with `"state": "dead"` only what was given up in it (D97).
         */
        post: operations["redriveOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/workers/outbox/tick": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * One pass over the outbox, now
         * @description The relay ships what is committed within moments by itself; this waits for one more pass.
         */
        post: operations["tickOutbox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/erasures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How far an erasure is */
        get: operations["getErasure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Liveness */
        get: operations["getHealthToo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orphans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** EMR patients without a directory row, newest first */
        get: operations["listOrphans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/orphans/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an orphan as reconciled
         * @description Settling again changes nothing.
         */
        post: operations["settleOrphan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a patient in the EMR and in the directory
         * @description In both or in neither. Safe to repeat with an `Idempotency-Key`: the same key and body give the first answer again, with `Idempotent-Replayed: true`.
         */
        post: operations["createPatient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A patient */
        get: operations["getPatient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Fill identifiers
         * @description Identifiers go from null to a value once; `email_lower` may change. A value that is there already changes nothing. An `emr_patient_id` is taken only of an EMR patient that carries the MRN or the legacy MRN of this one, or from a superadmin.
         */
        patch: operations["updatePatient"];
        trace?: never;
    };
    "/v1/patients/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a patient
         * @description For good; the EMR patient becomes inactive. Archiving again changes nothing.
         */
        post: operations["archivePatient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a patient
         * @description Personal values and verbatim bodies are overwritten in every service; ids, amounts and times stay. Asked again it is the same erasure: the one under way, or a completed one that begins again for what has come in since. Parties outside are not touched.
         */
        post: operations["erasePatient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/{id}/intake-snapshots": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The intakes of a patient, newest first
         * @description A page ends with the intake that brings it to 4 MiB, or with the last one of `limit`.
         */
        get: operations["listPatientIntakeSnapshots"];
        put?: never;
        /**
         * Add a re-intake
         * @description The payload is kept byte for byte; the directory row stays as it is.
         */
        post: operations["createPatientIntakeSnapshot"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/{id}/intake-snapshots/{snapshotId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One intake of a patient */
        get: operations["getPatientIntakeSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/by-canvas-id/{emrPatientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The patient with an id in the EMR */
        get: operations["getPatientByCanvasId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/by-emr-id/{emrPatientId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The patient with an id in the EMR */
        get: operations["getPatientByEmrId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/by-mrn/{mrn}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The patient with a medical record number, in either case */
        get: operations["getPatientByMrn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/patients/email-lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Whether an e-mail is known, here or elsewhere
         * @description Of several matches the best counts: own before other, active before archived.
         */
        post: operations["lookUpEmail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/work-items/{id}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A person's answer to a work item of this service */
        post: operations["answerWorkItem"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Something that happened, told to the event sink
         * @description CloudEvents 1.0, structured JSON; in order for each record, and at least once.
         */
        post: operations["event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AnswerDone: {
            reason: string | null;
            /** @enum {string} */
            state: "done" | "refused";
        };
        Backfill: {
            /** Format: email */
            email_lower?: string;
            /** @description A FHIR id */
            emr_patient_id?: string;
            identity_provider_id?: string;
            legacy_mrn?: string;
            payment_customer_id?: string;
        };
        CloudEvent: {
            data: {
                organizationId: string | null;
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            datacontenttype: "application/json";
            /** Format: uuid */
            id: string;
            /** @description `/scriptrail/` and the service */
            source: string;
            /** @enum {string} */
            specversion: "1.0";
            /** Format: date-time */
            time: string;
            /** @description `<noun>.<past participle>`, as `patient.created` */
            type: string;
        };
        CodedRefusal: {
            error: string;
            message: string;
        };
        CodedUnfinished: {
            error: string;
            message: string;
        } & {
            [key: string]: unknown;
        };
        CodedValidationRefusal: {
            details?: {
                message: string;
                path: string;
            }[];
            error: string;
            message: string;
        };
        DirectoryPatient: {
            archived_at: string | null;
            /** Format: date-time */
            created_at: string;
            email_lower: string | null;
            emr_patient_id: string | null;
            /** Format: uuid */
            id: string;
            identity_provider_id: string | null;
            legacy_mrn: string | null;
            /** @description 10 characters of Crockford base 32 */
            mrn: string;
            /** Format: uuid */
            organization_id: string;
            payment_customer_id: string | null;
            /** Format: date-time */
            updated_at: string;
        };
        EmailMatch: {
            exists: boolean;
            in_your_org: boolean;
            /**
             * @description Never says which other organization has the e-mail
             * @enum {string}
             */
            status: "not_found" | "active" | "sign_in" | "archived" | "other_org";
        };
        Erasure: {
            completedAt: string | null;
            /** @description What is overwritten, and who outside is not touched */
            details: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            patientId: string;
            /** Format: date-time */
            requestedAt: string;
            /** @enum {string} */
            state: "running" | "completed";
        };
        ErasureBegun: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "running" | "completed";
        };
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        IntakeSnapshot: {
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description Present where the payload was overwritten with its patient
             */
            erasedAt?: string;
            /** Format: uuid */
            id: string;
            intake_type: string;
            /** Format: uuid */
            organization_id: string;
            /** Format: uuid */
            patient_id: string;
            /** @description As it was handed in */
            payload: unknown;
            /** @description SHA-256 of the bytes handed in, in hex */
            payload_hash: string;
            source_ip: string;
            /** Format: date-time */
            submitted_at: string;
            user_agent: string | null;
        };
        InternalError: {
            error: string;
            requestId: string;
        };
        NewPatient: {
            /** Format: email */
            contactEmail: string;
            demographics: {
                address: {
                    city: string;
                    line1: string;
                    line2?: string | "";
                    state: string;
                    zip: string;
                };
                /**
                 * Format: date
                 * @description Calendar date, YYYY-MM-DD
                 */
                dob: string;
                firstName: string;
                /** @enum {string} */
                gender: "male" | "female" | "other" | "unknown";
                lastName: string;
                phone: string;
            };
            identifiers?: {
                identity_provider_id?: string;
                legacy_mrn?: string;
                payment_customer_id?: string;
            };
            intake: components["schemas"]["PatientIntake"];
            /** Format: uuid */
            organizationId: string;
        };
        OrphanEntry: {
            /** Format: date-time */
            created_at: string;
            emr_patient_id: string;
            /** Format: uuid */
            id: string;
            mrn: string;
            /** Format: uuid */
            organization_id: string;
            reason: string;
            settled_at: string | null;
            /** @description The admin; null where a later create took the EMR patient */
            settled_by: string | null;
        };
        PatientIntake: {
            /** @description `glp-1`, `nad`, `microdose`, or a type of the organization */
            intakeType: string;
            /** @description Kept byte for byte as it stands in the body; never changed */
            payload: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the client submitted it
             */
            submittedAt: string;
        };
        PersonsAnswer: {
            answer: string;
            by: string;
            /** @default {} */
            data: {
                [key: string]: unknown;
            };
        };
        Processed: {
            processed: number;
        };
        Readiness: {
            checks: {
                [key: string]: "ok" | "failed";
            };
            /** @enum {string} */
            status: "ok" | "failed";
        };
        RedriveWindow: {
            /**
             * Format: date-time
             * @description When the events happened, earliest; with `state`: when they were given up
             */
            from: string;
            /**
             * @description Only what was given up
             * @constant
             */
            state?: "dead";
            /**
             * Format: date-time
             * @description The same, latest
             */
            to: string;
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
                     *       "error": "validation_failed",
                     *       "message": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "validation_failed",
                     *       "message": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
    redriveOutbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RedriveWindow"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Processed"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
    tickOutbox: {
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
                    "application/json": components["schemas"]["Processed"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
            /** @description The pass has not been made yet */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getErasure: {
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
                        erasure: components["schemas"]["Erasure"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getHealthToo: {
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
                     *       "error": "validation_failed",
                     *       "message": "Bad request"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    listOrphans: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
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
                        /** @description For the next page; null at the end */
                        nextCursor: string | null;
                        orphans: components["schemas"]["OrphanEntry"][];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    settleOrphan: {
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
                        orphan: components["schemas"]["OrphanEntry"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    createPatient: {
        parameters: {
            query?: never;
            header?: {
                /** @description The caller's own key for this patient: repeating the request makes no second one */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "organizationId": "06cf765a-f22e-4d07-8bf0-addd37430970",
                 *       "contactEmail": "ada.d7016ad4-eb0c-4a5d-8af8-88db8140695f@patients.test",
                 *       "demographics": {
                 *         "firstName": "Ada",
                 *         "lastName": "Test",
                 *         "dob": "1984-03-12",
                 *         "gender": "female",
                 *         "phone": "+1 (202) 555-0101",
                 *         "address": {
                 *           "line1": "18 Larch Lane",
                 *           "city": "Sampleton",
                 *           "state": "NY",
                 *           "zip": "13202"
                 *         }
                 *       },
                 *       "intake": {
                 *         "intakeType": "glp-1",
                 *         "submittedAt": "2026-01-01T12:00:00Z",
                 *         "payload": {
                 *           "allergies": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NewPatient"];
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
                     *       "patient": {
                     *         "id": "e3d94287-127e-5d5f-95e0-2d9dc888fb82",
                     *         "mrn": "6RNM6KTKX6",
                     *         "organization_id": "06cf765a-f22e-4d07-8bf0-addd37430970",
                     *         "emr_patient_id": "104e0ab1-259f-4c5c-b059-8b6401f45734",
                     *         "payment_customer_id": null,
                     *         "identity_provider_id": null,
                     *         "legacy_mrn": null,
                     *         "email_lower": "ada.d7016ad4-eb0c-4a5d-8af8-88db8140695f@patients.test",
                     *         "created_at": "2026-11-23T11:26:48.665Z",
                     *         "updated_at": "2026-11-23T11:26:48.665Z",
                     *         "archived_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description No such organization for the caller */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The organization is suspended or archived, or the key stands for another body */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description `emr_unavailable`: the EMR did not take the patient, and nothing was stored */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description `mrn_exhausted`: no free medical record number was found; `unavailable`: not known yet, the same request finds out */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedUnfinished"];
                };
            };
        };
    };
    getPatient: {
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
                     *       "patient": {
                     *         "id": "e3d94287-127e-5d5f-95e0-2d9dc888fb82",
                     *         "mrn": "6RNM6KTKX6",
                     *         "organization_id": "06cf765a-f22e-4d07-8bf0-addd37430970",
                     *         "emr_patient_id": "104e0ab1-259f-4c5c-b059-8b6401f45734",
                     *         "payment_customer_id": null,
                     *         "identity_provider_id": null,
                     *         "legacy_mrn": null,
                     *         "email_lower": "ada.d7016ad4-eb0c-4a5d-8af8-88db8140695f@patients.test",
                     *         "created_at": "2026-11-23T11:26:48.665Z",
                     *         "updated_at": "2026-11-23T11:26:48.665Z",
                     *         "archived_at": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    updatePatient: {
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
                "application/json": components["schemas"]["Backfill"];
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
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description `immutable_identifier`: it has another value; `conflict`: the patient is archived, or another one has the EMR id */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description `emr_unavailable`: the EMR could not be asked whose patient it is */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    archivePatient: {
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
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    erasePatient: {
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
            /** @description Taken; the end comes later */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        erasure: components["schemas"]["ErasureBegun"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The patient is not archived */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    listPatientIntakeSnapshots: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
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
                        /** @description For the next page; null at the end */
                        nextCursor: string | null;
                        /** @description Newest first */
                        snapshots: components["schemas"]["IntakeSnapshot"][];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    createPatientIntakeSnapshot: {
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
                "application/json": components["schemas"]["PatientIntake"];
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
                        snapshot: components["schemas"]["IntakeSnapshot"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
            /** @description The patient is archived */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getPatientIntakeSnapshot: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An id of ours */
                id: string;
                /** @description An id of ours */
                snapshotId: string;
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
                        snapshot: components["schemas"]["IntakeSnapshot"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getPatientByCanvasId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the Patient in the EMR */
                emrPatientId: string;
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
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getPatientByEmrId: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the Patient in the EMR */
                emrPatientId: string;
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
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    getPatientByMrn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description 10 characters of Crockford base 32 */
                mrn: string;
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
                        patient: components["schemas"]["DirectoryPatient"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    lookUpEmail: {
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
                 *       "organizationId": "06cf765a-f22e-4d07-8bf0-addd37430970",
                 *       "email": "ada.d7016ad4-eb0c-4a5d-8af8-88db8140695f@patients.test"
                 *     }
                 */
                "application/json": {
                    /** Format: email */
                    email: string;
                    /** Format: uuid */
                    organizationId: string;
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
                    /**
                     * @example {
                     *       "exists": true,
                     *       "in_your_org": true,
                     *       "status": "active"
                     *     }
                     */
                    "application/json": components["schemas"]["EmailMatch"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
                };
            };
        };
    };
    answerWorkItem: {
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
                "application/json": components["schemas"]["PersonsAnswer"];
            };
        };
        responses: {
            /** @description Done, or as it stands */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AnswerDone"];
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
                     *       "error": "validation_failed",
                     *       "message": "Validation failed",
                     *       "details": [
                     *         {
                     *           "path": "limit",
                     *           "message": "Must be a number from 1 to 200"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CodedValidationRefusal"];
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
                     *       "error": "unauthorized",
                     *       "message": "Unauthorized"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "forbidden",
                     *       "message": "Forbidden"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "not_found",
                     *       "message": "Not found"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "payload_too_large",
                     *       "message": "Payload too large"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "unsupported_content_type",
                     *       "message": "Unsupported content type"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
                     *       "error": "too_many_requests",
                     *       "message": "Too many requests"
                     *     }
                     */
                    "application/json": components["schemas"]["CodedRefusal"];
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
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodedUnfinished"];
                };
            };
        };
    };
    event: {
        parameters: {
            query?: never;
            header: {
                /** @description As `X-Callback-Id` (Standard Webhooks) */
                "webhook-id": string;
                /** @description `v1,` and Base64 of the HMAC-SHA256 over `<id>.<timestamp>.<body>` */
                "webhook-signature": string;
                /** @description As `X-Timestamp`, in seconds since 1970 */
                "webhook-timestamp": string;
                /** @description The same with every attempt: by it a repeat is known */
                "X-Callback-Id": string;
                /** @description Lower-case hex HMAC-SHA256 with the secret over `<X-Timestamp>.<body>` */
                "X-Signature": string;
                /** @description When this attempt was signed, ISO 8601 */
                "X-Timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/cloudevents+json": components["schemas"]["CloudEvent"];
            };
        };
        responses: {
            /** @description Received; any 2xx will do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No more of these, ever */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not received: sent again, for 72 hours */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
