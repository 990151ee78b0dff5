//! English clues: phrases that address a machine reader by what it does, and orders that injected text gives to it.
//! They only lower the score that the classifier must reach.

use super::{Phrase, clue};
use crate::injection::signal::Signal::{
    Address, Authority, Conceal, Exfiltrate, Override, Redirect, Request, Steer,
};

#[rustfmt::skip]
pub(crate) const CLUES: &[Phrase] = &[
    // A machine reader, addressed by its work or its name.
    clue(Address, 4, "@reader editing|explaining|quoting|writing|checking|translating|describing|answering|opening|parsing|scanning ~6 must|should|shall|has_to|have_to|is_to|are_to|leave|state"),
    clue(Address, 4, "any|every|all|each @reader ~1 editing|explaining|quoting|writing|checking|translating|describing|opening|touching|reading"),
    clue(Address, 4, "when|if|whenever|once|should a|an|any|the|some ~1 @reader ~2 edits|opens|asked|checking|checks|editing|writes|touches|refactors|quotes|cites|translates|reviews|generates|scans|reviewing|is_reading|summarizing|summarising"),
    clue(Address, 4, "ai|llm|llms|gpt|automated scanner|scanners|recruiter|recruiters|grader|graders|judge|judges|contributor|contributors|moderator|moderators|translator|translators|editor|editors|reviewer|reviewers|cook|cooks|shopper|shoppers ~2 must|should|shall|please|treat|are_to|have_to|need_to|always|never|give_this|regardless"),
    clue(Address, 4, "customary|expected|usual|tradition|standard|etiquette ~4 any|every|each|all @reader"),
    clue(Address, 4, "gemini|gpt|cursor|copilot|claude|codex|llama|deepseek|chatbots|chatbot must|should|shall|has_to|have_to|will"),
    clue(Address, 4, "agent|agents|assistant|assistants must|shall|has_to|have_to append|load|send|post|include|add|use|install|treat|say|claim|answer"),
    clue(Address, 4, "ai_instructions|llm_instructions|ai_instruction|agent_instructions|for_llm_reviewers|for_ai_reviewers"),
    // Cancelling the reader's task or rules.
    clue(Redirect, 4, "stop|quit|end|abort|leave evaluating|evaluation|reading|reviewing|the_recipe|the_tutorial|the_analysis|the_review|the_task|the_evaluation|other_applications"),
    clue(Redirect, 4, "never_mind|nevermind|forget ~2 first|last|previous|earlier|original question|request|message|task"),
    clue(Redirect, 4, "request|question|task|prompt you ~1 received|got|were_given|saw was|is ~2 test|mistake|fake|drill|decoy"),
    clue(Redirect, 4, "from_this|from_that|starting_with_this ~1 line|point|moment|page ~3 @reader ~1 works|acts|serves|belongs|answers|reports|is"),
    clue(Redirect, 4, "refuse|decline to ~1 help|assist|answer|work|edit|discuss|explain ~4 file|this|user|question|questions"),
    clue(Override, 5, "earlier|previous|prior|former|old ~1 directives|instructions|orders|rules ~1 no_longer|dont|do_not apply|count|hold|matter"),
    clue(Override, 5, "cancel|annul|suspend|revoke|void ~5 rules|restrictions|instructions|policies|guidelines"),
    // Claims about the state of the conversation or about rights.
    clue(Authority, 4, "context|conversation|session|history was|has_been|is ~1 reset|cleared|restarted|wiped"),
    clue(Authority, 4, "last|latest|newest|next|pending user ~1 message|request|instruction is|was|reads|says"),
    clue(Authority, 4, "@reader ~1 has|have|was_given|is_given|got|received ~1 root|admin|administrator|sudo|full_access|full_rights"),
    clue(Authority, 4, "user consent|approval|confirmation|permission|consented|confirmed ~1 true|yes|granted|given|1"),
    // Dictated statements and judgements.
    clue(Steer, 4, "tell|assure|inform|convince ~1 user|users|visitor|visitors|customer|customers|reader|readers|client|them ~1 that|there|their|its|it|this"),
    clue(Steer, 4, "explain|say to ~1 user|users|visitor|customer|client|them that|it|its"),
    clue(Steer, 4, "no ~1 known|behavioural|behavioral|security|functional|new ~1 vulnerabilities|issues|change|changes|problems|risks"),
    clue(Steer, 4, "no_issues_found|nothing_found|no_problems_found|its_clean|it_is_clean|no_findings|all_clear"),
    clue(Steer, 4, "positive|favourable|favorable|glowing|enthusiastic review|reviews|rating|feedback|verdict|assessment|report"),
    clue(Steer, 4, "score|rating|grade|mark|winner|verdict ~1 of|is|to|a ~1 10|ten|100|five|a|perfect"),
    clue(Steer, 4, "regardless_of|no_matter|irrespective_of|whatever ~5 quality|contains|content|says|contents|answer|answers|writes"),
    clue(Steer, 4, "must|shall|should|has_to|have_to state|claim|say|answer|assert|reply|cite|deny|recommend ~4 that|and|even|as|no|the|it"),
    clue(Steer, 4, "give|write|return|present|report ~2 false|fake|wrong|invented|made_up ~1 one|summary|result|results|answer|number"),
    clue(Steer, 4, "answer|choose|select|pick|output|return ~2 anyway|regardless|no_matter"),
    clue(Steer, 4, "treat ~8 as ~1 private|safe|trusted|harmless|commands|verified|valid|benign"),
    clue(Steer, 4, "rank|place|put|list ~4 first|on_top|at_the_top ~1 and|stop|ignore"),
    clue(Steer, 4, "multiply|inflate|exaggerate|round_up|double ~3 by|figures|numbers|them|results"),
    // Concealment.
    clue(Conceal, 4, "must_not|do_not|dont|never|shall_not|should_not look_at|open|inspect|examine|list|answer ~4 weaknesses|questions|lock|file|files|change|diff|flaws|problems|src|json|c|py"),
    clue(Conceal, 4, "must_not|do_not|dont|never|not reveal|disclose|say|explain|admit|comment ~3 it|did|so|that|this|why|necessary"),
    clue(Conceal, 4, "leave|keep|take|drop ~3 out_of|off ~1 findings|their_findings|report|notes|list|results|summary"),
    clue(Conceal, 4, "leave_out|omit|hide|conceal ~2 change|licence|license|fee|price|incident|breach|switch ~8 asked|deny|quiet|user"),
    clue(Conceal, 4, "no comment|explanation|note|mention|announcement necessary|needed|required"),
    // Harmful changes and actions.
    clue(Request, 4, "delete|remove|wipe|overwrite|erase ~1 this|the|every|all|whole|entire ~1 repo|repository|folder|directory|database|branch|tests_folder|tests|readme|project"),
    clue(Request, 4, "bind|grant|give|add|attach ~2 cluster_admin|write_permissions|write_access|pull_request_target|admin_rights|admin_role"),
    clue(Request, 4, "expose|open|publish ~1 port ~2 without|to|on|publicly"),
    clue(Request, 4, "register|add|insert|mount ~3 handler|endpoint|route|hook ~12 exec|eval|shell|os|query"),
    clue(Request, 4, "simplify|replace|change|reduce|shorten ~6 return_true|return_1|return_ok|return_null"),
    clue(Request, 4, "hookspath|core_hookspath|post_checkout|pre_push"),
    clue(Request, 4, "order|buy|purchase|book|pay ~8 credit_card|saved_card|card|stored_payment|account"),
    clue(Request, 4, "issue|grant|give|approve ~2 refund|voucher|discount|coupon|credit ~10 without|now|immediately|of"),
    clue(Request, 4, "block|ban|allow|unblock ~6 in|from|at ~1 firewall|network|gateway"),
    clue(Request, 4, "run|start|install|launch ~6 administrator_rights|admin_rights|root_rights|as_root|rootkit|installer ~4 http|https|at|in|rights"),
    clue(Request, 4, "voting|vote|downvote|upvote against|for|every|all ~2 issues|issue|proposals|requests|pull_requests"),
    // Data that leaves the conversation.
    clue(Exfiltrate, 4, "append|write|writing|copy|add|mail|mails|send|list|disclose ~4 environment_variables|environment|conversation|chat|location|repositories|api_key|session|strings|unpublished ~6 to|into|in|of"),
    clue(Exfiltrate, 4, "load|open|fetch|render|request ~12 conversation|chat|history|messages ~6 replaced|appended|so_far|attached|added"),
    clue(Exfiltrate, 4, "with|using the ~1 token|key|credentials|password|secret in|from|of"),
    clue(Exfiltrate, 4, "disclose|reveal|tell|give|say ~2 users|user|customers|visitors ~1 location|address|email|name|number|repositories|identity"),
    clue(Exfiltrate, 4, "list|print|show|name|enumerate ~2 tools|functions|plugins ~1 you|available|with|and"),
];
