# Makes invoices from a stored template. Run with curl 7.76 or newer: sh invoices.sh
set -eu
server=${PLATEN_URL:-http://127.0.0.1:3000}
json='Content-Type: application/json'

# Sends a request. curl tries again while the service is busy (429) or unavailable (503), after the time in Retry-After. Each attempt
# overwrites the file of -o.
send() {
  path=$1
  shift
  curl -sS --fail-with-body --retry 4 -H "Authorization: Bearer $PLATEN_API_KEY" "$server$path" "$@"
}

# Reads the first field of a name from JSON. With jq, write: jq -r .id
field() {
  grep -o "\"$1\":\(\"[^\"]*\"\|[0-9]*\)" | head -n 1 | cut -d : -f 2- | tr -d '"'
}

# Prints the number of pages from the headers of a PDF.
pages() {
  tr -d '\r' < headers.txt | grep -i '^platen-pages:' | cut -d ' ' -f 2
}

# 1. A stored template, and a PDF of it
cat > invoice.json <<'JSON'
{"name": "Invoice", "html_content": "<h1>Invoice {{number}}</h1><p>{{formatCurrency total \"EUR\"}}</p>"}
JSON
send /v1/templates -H "$json" --data-binary @invoice.json -o template.json
template=$(field id < template.json)

send /v1/generate -F template="$template" -F 'data={"number": 118, "total": 49.5}' -F output=binary \
  -D headers.txt -o invoice.pdf
echo "invoice.pdf has $(pages) page"

# 2. Errors: curl exits with 22, and the response is JSON with code, message and details
if ! send /v1/generate --form-string 'html=<p>{{#if paid}}Paid</p>' -F 'data={}' -F output=binary -o answer 2> curl.log; then
  cat answer && echo
fi

# 3. A batch: up to 100 PDFs in the background
cat > batch.json <<JSON
{"items": [
  {"template": "$template", "data": {"number": 119, "total": 10}},
  {"template": "$template", "data": {"number": 120, "total": 10}},
  {"template": "$template", "data": {"number": 121, "total": 10}}
]}
JSON
send /v1/generate/batch -H "$json" -H "Idempotency-Key: batch-$(date +%s)-$$" --data-binary @batch.json -o accepted.json
batch=$(field batch_id < accepted.json)
status=queued
while [ "$status" = queued ] || [ "$status" = processing ]; do
  sleep 0.5
  send "/v1/batches/$batch" -o state.json
  status=$(field status < state.json)
done
echo "The batch has $(field completed < state.json) PDFs and $(field failed < state.json) failures"

number=119
for id in $(grep -o 'gen_[0-9A-Za-z]*' accepted.json); do
  curl -sS --fail -o "invoice-$number.pdf" "$(send "/v1/generations/$id" | field url)" # links need no key
  number=$((number + 1))
done

# 4. Files as multipart/form-data
send /v1/pdf/merge -F pdfs=@invoice-119.pdf -F pdfs=@invoice-120.pdf -F pdfs=@invoice-121.pdf -F output=binary \
  -D headers.txt -o invoices.pdf
echo "invoices.pdf has $(pages) pages"

send "/v1/templates/$template" -X DELETE -o deleted.json
