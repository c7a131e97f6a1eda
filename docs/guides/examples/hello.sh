# Makes hello.pdf. Run: sh hello.sh
curl -sS --fail-with-body "${PLATEN_URL:-http://127.0.0.1:3000}/v1/generate" \
  -H "Authorization: Bearer $PLATEN_API_KEY" -H 'Content-Type: application/json' \
  -d '{"html": "<h1>Hello {{name}}</h1>", "data": {"name": "Ada"}, "output": "binary"}' -o hello.pdf &&
  echo 'Saved hello.pdf'
