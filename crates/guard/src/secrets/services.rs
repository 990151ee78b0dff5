//! Lists names of services that issue API keys. The key is often assigned to the name of the service alone:
//! `SHODAN=…`.

/// The services whose names the scanner searches for, in alphabetical order. The value after such a name must look
/// generated (see `scorer::services`), so the list may contain words of the language. Names that share their first four
/// letters with many words are omitted, because the search would stop at each of those words.
#[rustfmt::skip]
pub(crate) const SERVICES: &[&str] = &[
    "abstractapi", "abuseipdb", "adafruit", "ai21", "airbyte", "alchemy", "alibaba_cloud", "alienvault", "alphavantage", "amplitude",
    "anthropic", "anyscale", "apns", "appcenter", "appdynamics", "appveyor", "automate.io", "automate_io", "automateio", "aweber",
    "azure-devops", "azure-openai", "azure_devops", "azure_openai", "azure_search", "azure_speech", "backblaze", "bamboohr", "basecamp",
    "baseten", "beehiiv", "betteruptime", "binance", "binaryedge", "bitrise", "bluesky", "braintree", "braze", "brevo", "brightdata",
    "browserstack", "bugcrowd", "bugsnag", "buildkite", "bunnycdn", "bybit", "calendly", "campaignmonitor", "censys", "cerebras",
    "circle_ci", "clearbit", "clevertap", "cloudant", "cloudconvert", "cloudflare", "cloudinary", "cloudsmith", "cloudways",
    "cockroachlabs", "codacy", "coinapi", "coingecko", "coinmarketcap", "constantcontact", "contentstack", "convertapi", "covalent",
    "criminalip", "crowdstrike", "customerio", "daily.co", "dashscope", "dbtcloud", "deepl", "deepseek", "descope", "digicert",
    "digital_ocean", "dnsimple", "dockerhub", "docusign", "duffel", "edgar", "elastic_cloud", "elasticcloud", "elevenlabs", "emailable",
    "emailoctopus", "envato", "eppo", "etherscan", "exchangerate", "feedly", "fire_crawl", "firecrawl", "flipside", "flutterwave",
    "footprint", "foursquare", "freshdesk", "freshservice", "genius", "getresponse", "ghost", "giphy", "gitguardian", "gitlab",
    "gocardless", "goldsky", "googlemaps", "gotify", "grafana", "greenhouse", "greynoise", "groq", "gusto", "hackerone", "hashnode",
    "helpscout", "hetzner", "hibp", "honeybadger", "huawei_cloud", "huaweicloud", "hugging_face", "hunter_io", "hunterio",
    "hybridanalysis", "ibm_watson", "ibmcloud", "ifttt", "imagekit", "imgbb", "imgur", "infobip", "infracost", "infura", "insightly",
    "intelowl", "intelx", "ipapi", "iterable", "jfrog", "kagi", "keycdn", "lambdatest", "langfuse", "langsmith", "lastfm", "leakix",
    "lightstep", "linode", "logdna", "loggly", "logrocket", "losant", "magento", "mailboxlayer", "mailerlite", "mailersend", "mailjet",
    "mailtrap", "maltego", "mandrill", "mapbox", "mapquest", "markerio", "mastodon", "maxmind", "medium", "meilisearch", "mercadopago",
    "minimax", "mixpanel", "mollie", "musixmatch", "n8n", "neptuneai", "nessus", "netlas", "netlify", "new-relic", "newsapi", "nexmo",
    "novita", "npmjs", "onelogin", "onesignal", "oneuptime", "openai", "opencage", "openrouter", "opensea", "openweather", "pagerduty",
    "papertrail", "passivetotal", "paypal", "paystack", "perplexity", "pexels", "phrase", "pinecone", "pinterest", "planetscale",
    "playht", "plivo", "polygonio", "postman", "prefect", "prestashop", "proxycurl", "pubnub", "pulsedive", "pusher", "pushover", "qiniu",
    "qualys", "quandl", "quickbase", "raindrop", "rapid7", "raygun", "razorpay", "recurly", "reddit", "retool", "roblox", "rollbar",
    "rome2rio", "routee", "runpod", "sambanova", "saucelabs", "schoology", "scrapeops", "scraperapi", "scrapfly", "scrapingant",
    "scrapingbee", "segment", "semaphoreci", "semrush", "send_grid", "sendinblue", "sendpulse", "sentinelone", "serpapi", "shazam",
    "shodan", "shopify", "signalwire", "sinch", "smartling", "sonar", "sonarcloud", "sonarqube", "sparkpost", "splunk", "spoonacular",
    "squadcast", "stabilityai", "stackpath", "stytch", "subgraph_studio", "substack", "supabase", "surveymonkey", "tailscale", "tavily",
    "telnyx", "tencent_cloud", "tencentcloud", "testomatio", "thegraph", "thehive", "ticketmaster", "tinify", "tinybird", "tinypng",
    "together", "togetherai", "tomtom", "travis_ci", "travisci", "trip_advisor", "tripadvisor", "tumblr", "upstash", "uptimerobot",
    "urlscan", "veracode", "vercel", "victorops", "vimeo", "virustotal", "vonage", "voyageai", "wakatime", "wandb", "wasabi", "weaviate",
    "webex", "whoisxml", "wolframalpha", "woocommerce", "xata", "yelp", "youtrack", "zhipu", "zillow", "zoomeye", "zoominfo", "zyte",
];

/// The names of services that are also ordinary words, or that often name a public identifier of the service, such as a
/// verification code. In alphabetical order.
#[rustfmt::skip]
const AMBIGUOUS: &[&str] = &[
    "airtable", "alchemy", "amplitude", "confluence", "contentful", "discord", "facebook", "footprint", "genius", "ghost", "holiday",
    "iterable", "kraken", "linkedin", "looker", "medium", "mixpanel", "phrase", "pinterest", "postman", "prefect", "raindrop", "reddit",
    "segment", "sonar", "together", "travis", "twitter", "yandex", "zipcode",
];

/// Returns whether the name of the service, in any spelling, is in [`AMBIGUOUS`].
pub(crate) fn is_ambiguous(service: &str) -> bool {
    AMBIGUOUS.binary_search(&service.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::{AMBIGUOUS, SERVICES};

    #[test]
    fn services_are_sorted() {
        assert!(SERVICES.is_sorted());
        assert!(AMBIGUOUS.is_sorted());
    }
}
