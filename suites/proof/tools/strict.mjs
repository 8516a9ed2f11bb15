// Compiles every schema of the contract with Ajv in strict mode: node strict.mjs OPENAPI SCHEMAS VOCABULARY. Prints what does
// not compile. Of the published schemas nothing is declared, of the kit's what its vocabulary says.
import { readFileSync, readdirSync } from "node:fs";
import addFormats from "ajv-formats";
import Ajv2020 from "ajv/dist/2020.js";

const [openapi, folder, vocabulary] = process.argv.slice(2);
const words = JSON.parse(readFileSync(vocabulary)).properties;
const keywords = Object.keys(words).filter((word) => word.startsWith("x-"));

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
  const ajv = strict().addVocabulary(keywords);
  for (const format of words.format.enum) if (!(format in ajv.formats)) ajv.addFormat(format, true);
  wrong += compile(name, JSON.parse(readFileSync(`${folder}/${name}`)), ajv);
}
console.log(`${Object.keys(published).length} published schemas, ${kit.length} of the kit, ${wrong} do not compile`);
process.exit(wrong ? 1 : 0);
