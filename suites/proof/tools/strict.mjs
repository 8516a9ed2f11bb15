// Compiles every schema of the contract with Ajv in strict mode: node strict.mjs OPENAPI SCHEMAS. Prints what does not compile.
import { readFileSync, readdirSync } from "node:fs";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

const OWN_KEYWORDS = ["generated", "requirement", "requirements", "open", "format", "decimals", "earliest", "within-days"];
const OWN_FORMATS = ["e164", "iana", "iso-4217", "user", "days"];
const [openapi, folder] = process.argv.slice(2);

function strict() {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  return ajv;
}

function compile(name, schema, ajv) {
  try {
    ajv.compile(schema);
    return 0;
  } catch (error) {
    console.log(`${name}: ${error.message}`);
    return 1;
  }
}

const text = JSON.stringify(JSON.parse(readFileSync(openapi)).components.schemas);
const published = JSON.parse(text.replaceAll("#/components/schemas/", "#/$defs/"));
let wrong = 0;
for (const name of Object.keys(published)) wrong += compile(name, { $defs: published, $ref: `#/$defs/${name}` }, strict());
const kit = readdirSync(folder).filter((name) => name.endsWith(".json"));
for (const name of kit) {
  const ajv = strict().addVocabulary(OWN_KEYWORDS.map((word) => `x-${word}`));
  for (const format of OWN_FORMATS) ajv.addFormat(format, true);
  wrong += compile(name, JSON.parse(readFileSync(`${folder}/${name}`)), ajv);
}
console.log(`${Object.keys(published).length} published schemas, ${kit.length} of the kit, ${wrong} do not compile`);
process.exit(wrong ? 1 : 0);
