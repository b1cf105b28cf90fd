/** Made of the OpenAPI page by npm run pages. */
export interface paths {
    "/admin/intake-retries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** EMR patients that are still to be made, or were, newest first */
        get: operations["listIntakeRetries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/intake-retries/{id}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start again with a retry that has failed
         * @description At once, with all three attempts before it.
         */
        post: operations["resetIntakeRetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/intake-submissions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One submission */
        get: operations["getIntakeSubmission"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
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
    "/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The page on which a patient pays what is owed
         * @description A page for browsers; without a good token 400, for who takes no page `{error}`.
         */
        get: operations["getPay"];
        put?: never;
        /**
         * Pay what is owed, once
         * @description A card or a session that is handed in is saved first, for later charges too. Without, the saved card is charged, unless the bank declined it for good. `pending`: the verdict comes later.
         */
        post: operations["pay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pay/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Open a session in which the browser saves a card, or satisfies the bank of the saved one */
        post: operations["sessionPay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment-intent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a session in which the browser saves a card
         * @description A `customerId` counts only with a proof of that customer's own address. Where a proof is required, a request without is 400 `Email is not verified`.
         */
        post: operations["createPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the active plans with their tokens */
        get: operations["listPlans"];
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
    "/save-payment-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save the card of a submitted intake
         * @description Safe to repeat: the submission has one customer at the processor, the last card counts. Another card than the first needs a proof of the submission's address, and every card where a proof is required: else 400 `Email is not verified`.
         */
        post: operations["savePaymentInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand in an intake
         * @description Answers within 8 s, also when the EMR is away: its patient is then made later. Safe to repeat with an `Idempotency-Key`. Joins the EMR patient of the address whose family name and birth date agree; only with `emailProof` does it change anything of them. Where a proof is required, one without is 400 `Email is not verified`.
         */
        post: operations["submitIntake"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/validate-coupon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Look a coupon up */
        post: operations["validateCoupon"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify-email/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a code
         * @description Five wrong attempts lock a code; a new one has to be sent then. The right one gives a proof of the address, good for two hours, to hand in with the intake and its card.
         */
        post: operations["checkVerificationCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/verify-email/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a six-digit code to an address
         * @description Takes the place of the code before it. Valid for 10 minutes. An address is sent only so many codes (429).
         */
        post: operations["sendVerificationCode"];
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
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AnswerDone: {
            reason: string | null;
            /** @enum {string} */
            state: "done" | "refused";
        };
        CheckCode: {
            /** @description Six digits */
            code: string;
            email: string;
        };
        Coupon: {
            /** @description Exactly the id of the coupon at the payment processor */
            code: string;
        };
        FieldErrorsRefusal: {
            details?: {
                fieldErrors: {
                    [key: string]: string[];
                };
                formErrors: string[];
            };
            error: string;
        };
        Health: {
            service: string;
            /** @constant */
            status: "ok";
            timestamp: string;
        };
        Intake: {
            address: {
                city: string;
                line1: string;
                line2?: string;
                state: string;
                zip: string;
            };
            couponCode?: string;
            /** @description `MM-DD-YYYY`; 18 years or older */
            dob: string;
            /**
             * Format: email
             * @description Finds the patient in the EMR, in whatever case
             */
            email: string;
            /** @description From POST /verify-email/check, at most two hours old; may be required */
            emailProof?: string;
            firstName: string;
            /** @enum {string} */
            gender?: "male" | "female" | "other";
            /** @enum {string} */
            intakeType: "glp-1" | "nad" | "micro";
            lastName: string;
            phone: string;
            /** @description From GET /plans, at most 15 minutes old */
            planToken: string;
            /** @description Two-letter code, in either case; decides availability */
            state: string;
        };
        IntakeRetry: {
            /** @constant */
            action: "create_patient";
            /** @description Made since the entry was queued or reset, of 3 */
            attempts: number;
            /** Format: date-time */
            created_at: string;
            /** Format: uuid */
            id: string;
            last_error: string | null;
            next_retry_at: string | null;
            /** @enum {string} */
            status: "pending" | "completed" | "failed";
            /** Format: uuid */
            submission_id: string;
        };
        IntakeSubmission: {
            /** Format: date-time */
            created_at: string;
            /** @description The whole request, with the ids of the payment step */
            data: unknown;
            email: string;
            /** @description Null until the EMR has the patient */
            emr_patient_id: string | null;
            first_name: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            intake_type: "glp-1" | "nad" | "micro";
            last_name: string;
            phone: string | null;
            state: string | null;
            /** @enum {string} */
            status: "submitted" | "pending_emr";
        };
        IntakeSubmitted: {
            /** Format: uuid */
            submissionId: string;
            /** @constant */
            success: true;
        };
        InternalError: {
            error: string;
            requestId: string;
        };
        Pay: {
            /** @description A new card */
            paymentMethodId?: string;
            /** @description The session in which a card was saved or authenticated */
            setupIntentId?: string;
            /** @description Of the link that the patient was sent */
            token: string;
        };
        PaymentInfo: {
            /** @description From POST /verify-email/check, at most two hours old; may be required */
            emailProof?: string;
            paymentMethodId: string;
            setupIntentId?: string;
            submissionId: string;
        };
        PaymentIntent: {
            /** @description The session is attached to this customer, if it is the proven address's own */
            customerId?: string;
            /** @description From POST /verify-email/check, at most two hours old; may be required */
            emailProof?: string;
        };
        PaySession: {
            /** @description Of the link that the patient was sent */
            token: string;
        };
        PersonsAnswer: {
            answer: string;
            by: string;
            /** @default {} */
            data: {
                [key: string]: unknown;
            };
        };
        Plan: {
            amountCents: number;
            displayName: string;
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            intakeType: "glp-1" | "nad" | "micro";
            /** @description `month` */
            interval: string;
            /** @description Such as `monthly` */
            plan: string;
            /** @description Fixes the price; to be handed in with the intake within 15 minutes */
            token: string;
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
        SendCode: {
            email: string;
        };
        Unfinished: {
            error: string;
        } & {
            [key: string]: unknown;
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
    listIntakeRetries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                status?: "pending" | "completed" | "failed";
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
                        retries: components["schemas"]["IntakeRetry"][];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
        };
    };
    resetIntakeRetry: {
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
                        retry: components["schemas"]["IntakeRetry"];
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
            /** @description It does not agree with what is there */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
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
        };
    };
    getIntakeSubmission: {
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
                        submission: components["schemas"]["IntakeSubmission"];
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
        };
    };
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
    getPay: {
        parameters: {
            query?: {
                token?: string;
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
                content?: never;
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
    pay: {
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
                 *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6InBheW1lbnQtbGluaytqd3QifQ.eyJzdWIiOiJ0ZXN0LTI5YWQ1MGU2LTU2MjQtNGUxMS1iZGIyLWUxODFkYjg0MDIyYyIsImV4cCI6MTc5NjY0MjgxNH0.SrP4w7lI7iuqCfUsGE-M8IcgwRBrp_VwutAZ3_GaizA",
                 *       "paymentMethodId": "pm_card_visa"
                 *     }
                 */
                "application/json": components["schemas"]["Pay"];
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
                     *       "paid": true,
                     *       "status": "succeeded"
                     *     }
                     */
                    "application/json": {
                        paid: boolean;
                        /**
                         * @description `pending`: the verdict comes later
                         * @enum {string}
                         */
                        status: "pending" | "succeeded" | "failed";
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
                };
            };
            /** @description It does not agree with what is there */
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
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    sessionPay: {
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
                 *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6InBheW1lbnQtbGluaytqd3QifQ.eyJzdWIiOiJ0ZXN0LTI5YWQ1MGU2LTU2MjQtNGUxMS1iZGIyLWUxODFkYjg0MDIyYyIsImV4cCI6MTc5NjY0MjgxNH0.SrP4w7lI7iuqCfUsGE-M8IcgwRBrp_VwutAZ3_GaizA"
                 *     }
                 */
                "application/json": components["schemas"]["PaySession"];
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
                     *       "clientSecret": "seti_311ee6ad29e94880f6f9655f_secret_e4c51984b761f6a1b47cd575",
                     *       "setupIntentId": "seti_311ee6ad29e94880f6f9655f"
                     *     }
                     */
                    "application/json": {
                        clientSecret: string;
                        setupIntentId: string;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
                };
            };
            /** @description It does not agree with what is there */
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
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    createPaymentIntent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaymentIntent"];
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
                        /** @description For the payment library in the browser, which saves the card with it */
                        clientSecret: string;
                        setupIntentId: string;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    listPlans: {
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
                    /**
                     * @example {
                     *       "plans": [
                     *         {
                     *           "id": "77cf775f-8e65-4d22-9120-3289a86140f9",
                     *           "intakeType": "glp-1",
                     *           "plan": "monthly",
                     *           "displayName": "GLP-1, month by month",
                     *           "amountCents": 29900,
                     *           "interval": "month",
                     *           "token": "eyJpbnRha2VUeXBlIjoiZ2xwLTEiLCJwbGFuIjoibW9udGhseSIsImFtb3VudENlbnRzIjoyOTkwMCwiaXNzdWVkQXQiOjE3OTU0MzMyMDc0OTR9.16d37b95e1a521db535835256ebe5abdacaff8a6ff396c42737bbbd18b1f82e9"
                     *         },
                     *         {
                     *           "id": "967d5def-7bac-423f-879a-42dc859029f0",
                     *           "intakeType": "micro",
                     *           "plan": "monthly",
                     *           "displayName": "Microdose, month by month",
                     *           "amountCents": 14900,
                     *           "interval": "month",
                     *           "token": "eyJpbnRha2VUeXBlIjoibWljcm8iLCJwbGFuIjoibW9udGhseSIsImFtb3VudENlbnRzIjoxNDkwMCwiaXNzdWVkQXQiOjE3OTU0MzMyMDc0OTR9.80192520905da17c8c1bf96e3b03de46ab353d2d05515d49dcc9d1ff4bea5d92"
                     *         },
                     *         {
                     *           "id": "a2f75ee9-faf0-4edc-8705-41e54928bca5",
                     *           "intakeType": "nad",
                     *           "plan": "monthly",
                     *           "displayName": "NAD+, month by month",
                     *           "amountCents": 19900,
                     *           "interval": "month",
                     *           "token": "eyJpbnRha2VUeXBlIjoibmFkIiwicGxhbiI6Im1vbnRobHkiLCJhbW91bnRDZW50cyI6MTk5MDAsImlzc3VlZEF0IjoxNzk1NDMzMjA3NDk0fQ.1ac059ece8495f5b4553cd4f38b40285fa6a314c578a2da02201f7c4fa4a750c"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        plans: components["schemas"]["Plan"][];
                    };
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
                    "application/json": components["schemas"]["Refusal"];
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
    savePaymentInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentInfo"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    submitIntake: {
        parameters: {
            query?: never;
            header?: {
                /** @description The same key and body again: the same answer, and nothing is stored twice (D62) */
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "firstName": "Ada",
                 *       "lastName": "Test",
                 *       "dob": "02-29-1984",
                 *       "gender": "female",
                 *       "email": "ada.87269eee-22d4-4df2-9198-9f3ed7a11321@patients.test",
                 *       "phone": "+1 (202) 555-0101",
                 *       "state": "NY",
                 *       "address": {
                 *         "line1": "18 Larch Lane",
                 *         "line2": "Flat 3",
                 *         "city": "Sampleton",
                 *         "state": "NY",
                 *         "zip": "13202"
                 *       },
                 *       "intakeType": "glp-1",
                 *       "planToken": "eyJpbnRha2VUeXBlIjoiZ2xwLTEiLCJwbGFuIjoibW9udGhseSIsImFtb3VudENlbnRzIjoyOTkwMCwiaXNzdWVkQXQiOjE3OTU0MzMyMDc1NDV9.d13669a41b149b45eaa285e42a7b2007d4e4a7614dd253ec6712c2d9efc50cf5"
                 *     }
                 */
                "application/json": components["schemas"]["Intake"];
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
                     *       "success": true,
                     *       "submissionId": "9e33ecf4-0f11-5d05-97f6-304974b2e18e"
                     *     }
                     */
                    "application/json": components["schemas"]["IntakeSubmitted"];
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
                };
            };
            /** @description The key stands for another body */
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
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    validateCoupon: {
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
                 *       "code": "WELCOME25"
                 *     }
                 */
                "application/json": components["schemas"]["Coupon"];
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
                     *       "valid": true,
                     *       "amountOff": null,
                     *       "percentOff": 25
                     *     }
                     */
                    "application/json": {
                        /** @description In dollars */
                        amountOff: number | null;
                        percentOff: number | null;
                        /** @enum {string} */
                        reason?: "Coupon is no longer valid" | "Coupon not found";
                        valid: boolean;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
                    "application/json": components["schemas"]["Refusal"];
                };
            };
        };
    };
    checkVerificationCode: {
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
                 *       "email": "ada.a71ea5f0-d4cf-4c9d-9fe4-ef8f463e6a87@patients.test",
                 *       "code": "486910"
                 *     }
                 */
                "application/json": components["schemas"]["CheckCode"];
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
                     *       "verified": true,
                     *       "emailProof": "eyJhbGciOiJIUzI1NiIsInR5cCI6ImVtYWlsLXByb29mK2p3dCJ9.eyJzdWIiOiJkOGJlNGQyNTQ0MDNiYmMzZTBmOTM2YzZhM2U2OTc1NCIsImlhdCI6MTc5NTQzMzIxNiwiZXhwIjoxNzk1NDQwNDE2fQ.BXBMtS7H7-T2454j-cIL9zyPsr6hThLGd6wOx9aFbPo"
                     *     }
                     */
                    "application/json": {
                        /** @description Proves this address for two hours */
                        emailProof: string;
                        /** @enum {boolean} */
                        verified: true;
                    } | {
                        /** @enum {string} */
                        error: "no_code_sent" | "code_expired" | "code_already_used" | "rate_limited" | "invalid_code";
                        /** @enum {boolean} */
                        verified: false;
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
    sendVerificationCode: {
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
                 *       "email": "ada.a71ea5f0-d4cf-4c9d-9fe4-ef8f463e6a87@patients.test"
                 *     }
                 */
                "application/json": components["schemas"]["SendCode"];
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
                     *       "success": true,
                     *       "message": "Verification code sent"
                     *     }
                     */
                    "application/json": {
                        /** @enum {string} */
                        message: "Verification code sent";
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
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
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
                     *       "error": "Validation failed",
                     *       "details": {
                     *         "fieldErrors": {
                     *           "limit": [
                     *             "Must be a number from 1 to 200"
                     *           ]
                     *         },
                     *         "formErrors": []
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["FieldErrorsRefusal"];
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
            /** @description Not known yet, or not to be done now; the same request finds out after `Retry-After` */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Unfinished"];
                };
            };
        };
    };
}
