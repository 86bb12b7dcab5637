//! Describes one step in one sentence, in Korean or English.

use crate::{
    bound_text::{WHOLE, bound},
    language::Lang,
    preview::{neutralise, url_text},
};
use wiiiv_domain::{Arg, HttpMethod, Node, StepParams, UrlTemplate, WorkspacePath};

/// Steps are numbered from 1, in plan order.
pub(crate) fn sentence(nodes: &[Node], node: &Node, lang: Lang) -> String {
    let mut text = action(nodes, node, lang);
    if let Some(when) = &node.when {
        let (when, particle) =
            (bound(nodes, when, lang), if when.select == WHOLE { "가" } else { "이" });
        text.push_str(&match lang {
            Lang::Ko => format!(" 단, {when}{particle} 참일 때만 합니다."),
            Lang::En => format!(" Only if this holds: {when}."),
        });
    }
    text
}

fn action(nodes: &[Node], node: &Node, lang: Lang) -> String {
    match &node.params {
        StepParams::FileRead { name: Arg::Literal(name), .. } if name == WorkspacePath::ROOT => {
            match lang {
                Lang::Ko => "작업 공간의 파일 목록을 봅니다.".to_owned(),
                Lang::En => "Lists the files of the workspace.".to_owned(),
            }
        }
        StepParams::FileRead { directory, name } => {
            let path = path_text(nodes, directory, name, lang);
            match lang {
                Lang::Ko => format!("`{path}` 파일을 읽습니다."),
                Lang::En => format!("Reads the file `{path}`."),
            }
        }
        StepParams::FileDelete { directory, name } => {
            let path = path_text(nodes, directory, name, lang);
            match lang {
                Lang::Ko => format!("`{path}` 파일을 삭제합니다."),
                Lang::En => format!("Deletes the file `{path}`."),
            }
        }
        StepParams::FileWrite { directory, name, content } => {
            let path = path_text(nodes, directory, name, lang);
            let (content, particle) = (value(nodes, content, lang), object(content));
            match lang {
                Lang::Ko => format!("`{path}` 파일에 {content}{particle} 씁니다."),
                Lang::En => format!("Writes {content} to the file `{path}`."),
            }
        }
        StepParams::ApiCall { method, url, body, .. } => {
            call(nodes, (*method, url), body.as_ref(), lang)
        }
        StepParams::WebFetch { url } => {
            let address = url_text(nodes, url, lang);
            match lang {
                Lang::Ko => format!("`{address}` 페이지를 읽어 제목과 본문을 가려냅니다."),
                Lang::En => format!("Reads the page `{address}` for its title and text."),
            }
        }
        StepParams::Transform { input, beside, expr } => {
            let inputs = std::iter::once(input).chain(beside);
            let inputs: Vec<_> = inputs.map(|input| value(nodes, input, lang)).collect();
            let (several, expr) = (!beside.is_empty(), neutralise(expr));
            let inputs = inputs.join(", ");
            match (lang, several) {
                (Lang::Ko, false) => format!("{inputs}에 jq 식을 적용합니다: `{expr}`."),
                (Lang::Ko, true) => {
                    format!("[{inputs}] 값을 차례로 담은 배열에 jq 식을 적용합니다: `{expr}`.")
                }
                (Lang::En, false) => format!("Applies the jq expression `{expr}` to {inputs}."),
                (Lang::En, true) => {
                    format!("Applies the jq expression `{expr}` to the array of [{inputs}].")
                }
            }
        }
    }
}

/// A request to a registered system names the system.
fn call(
    nodes: &[Node],
    (method, url): (HttpMethod, &UrlTemplate),
    body: Option<&Arg>,
    lang: Lang,
) -> String {
    let (method, address) = (method.as_str(), url_text(nodes, url, lang));
    let body = body.map(|body| (value(nodes, body, lang), object(body)));
    let system = url.system.as_ref();
    match lang {
        Lang::Ko => {
            let at = system.map(|name| format!("`{name}` 시스템의 ")).unwrap_or_default();
            let carrying = body.map(|(body, particle)| format!(" {body}{particle} 싣습니다."));
            let sends = if carrying.is_some() { "보내며" } else { "보냅니다." };
            let carrying = carrying.unwrap_or_default();
            format!("{at}`{address}` 주소로 {method} 요청을 {sends}{carrying}")
        }
        Lang::En => {
            let of = system.map(|name| format!(" of the system `{name}`")).unwrap_or_default();
            let carrying = body.map(|(body, _)| format!(", carrying {body}")).unwrap_or_default();
            format!("Sends a {method} request to `{address}`{of}{carrying}.")
        }
    }
}

/// A text of so many characters, or where the value will come from.
fn value(nodes: &[Node], value: &Arg, lang: Lang) -> String {
    match (value, lang) {
        (Arg::Literal(text), Lang::Ko) => format!("{}자 텍스트", text.chars().count()),
        (Arg::Literal(text), Lang::En) => {
            let count = text.chars().count();
            format!("{count} character{} of text", if count == 1 { "" } else { "s" })
        }
        (Arg::Bound(binding), _) => bound(nodes, binding, lang),
    }
}

/// The Korean object particle after 텍스트, 결과 or 값.
fn object(value: &Arg) -> &'static str {
    match value {
        Arg::Bound(binding) if binding.select != WHOLE => "을",
        Arg::Literal(_) | Arg::Bound(_) => "를",
    }
}

/// Workspace-relative; a name that is not known yet stands in braces.
pub(crate) fn path_text(nodes: &[Node], directory: &str, name: &Arg, lang: Lang) -> String {
    let name = match name {
        Arg::Literal(name) => neutralise(name),
        Arg::Bound(binding) => format!("{{{}}}", bound(nodes, binding, lang)),
    };
    if directory.is_empty() { name } else { format!("{}/{name}", neutralise(directory)) }
}
