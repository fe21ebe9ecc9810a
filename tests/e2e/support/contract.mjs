// The OpenAPI document as a judge: whether what is sent and what is answered is what it says.
import assert from "node:assert/strict";
import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";

const METHODS = ["get", "post", "put", "patch", "delete"];
const NAME = "document";

export class Contract {
  #document;
  #ajv;

  constructor(document) {
    this.#document = document;
    // Keywords of OpenAPI beside those of JSON Schema say nothing about what is valid.
    this.#ajv = formats(new Ajv({ strict: false, allErrors: true }));
    this.#ajv.addSchema({ $id: NAME, ...document });
  }

  /** Every operation: `{ path, method, operation }`. */
  operations() {
    return Object.entries(this.#document.paths).flatMap(([path, written]) => {
      // An older path can refer to the one that answers as it does.
      const item = this.resolve(written);
      return METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] }));
    });
  }

  /** What a reference stands for; anything else as it is. */
  resolve(node) {
    if (node?.$ref === undefined) return node;
    return node.$ref.slice(2).split("/").reduce((found, name) => found[name.replaceAll("~1", "/").replaceAll("~0", "~")], this.#document);
  }

  /** The operation that a request asks for. A path that is written out goes before one with parts. */
  operation(method, target) {
    const path = target.split("?")[0];
    const fits = (pattern) => new RegExp(`^${pattern.replaceAll(/[.*+?^$()|[\]\\]/g, "\\$&").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`).test(path);
    const candidates = Object.keys(this.#document.paths).filter(fits).sort((a, b) => a.split("{").length - b.split("{").length);
    const operation = this.resolve(this.#document.paths[candidates[0]])?.[method.toLowerCase()];
    assert.ok(operation, `${method} ${path} is not documented`);
    return operation;
  }

  /** Whether a value is what a schema says, with all complaints. */
  complaints(schema, value) {
    const validate = this.#ajv.compile({ ...JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${NAME}#/`)) });
    return validate(value) ? [] : validate.errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`);
  }

  /** Holds a body to what an operation takes. */
  sent(operation, body) {
    if (body === undefined) return;
    const { schema } = operation.requestBody.content["application/json"];
    assert.deepEqual(this.complaints(schema, body), [], `${operation.operationId} takes no ${JSON.stringify(body)}`);
  }

  /** Holds an answer to what an operation says; gives its body. */
  async answered(operation, answer) {
    const about = `${operation.operationId} answered ${answer.status}`;
    const text = await answer.text();
    const described = this.resolve(operation.responses[answer.status]);
    assert.ok(described, `${about}: ${text}`);
    for (const name of ["idempotency-replayed", "etag", "retry-after", "x-next-cursor", "set-cookie"]) {
      const isDescribed = Object.keys(described.headers ?? {}).some((header) => header.toLowerCase() === name);
      assert.ok(isDescribed || !answer.headers.has(name), `${about} with ${name}`);
    }
    if (described.content === undefined) {
      assert.equal(text, "", about);
      return undefined;
    }
    const type = answer.headers.get("content-type").split(";")[0];
    assert.ok(type in described.content, `${about} as ${type}`);
    const body = type.endsWith("json") ? JSON.parse(text) : text;
    assert.deepEqual(this.complaints(described.content[type].schema, body), [], `${about}: ${text}`);
    return body;
  }
}
