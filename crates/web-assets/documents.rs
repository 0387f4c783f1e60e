//! The rule documents as HTML for the page: clauses are anchors (`#C8`), and every mention of a
//! clause links to it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// The games that have rules, and the letters of their clauses.
const GAMES: [(&str, char); 2] = [("cruce", 'C'), ("whist", 'W')];
const LANGUAGES: [&str; 2] = ["en", "ro"];

/// Every document of a folder, by the name of its file.
pub(crate) fn read(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut documents = Vec::new();
    for (game, letter) in GAMES {
        for language in LANGUAGES {
            let path = folder.join(format!("{game}.{language}.md"));
            println!("cargo::rerun-if-changed={}", path.display());
            let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            let page = page(&text, game, letter);
            ensure!(page.contains(&format!("id=\"{letter}1\"")), "no clauses in {path:?}");
            documents.push((format!("{game}.{language}.html"), page));
        }
    }
    Ok(documents)
}

/// The HTML of one document.
fn page(markdown: &str, game: &str, letter: char) -> String {
    let mut blocks: Vec<Event<'_>> = Vec::new();
    // Inside of headings, links and code nothing is linked.
    let mut unlinked = 0;
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        match event {
            // Comments mark where examples begin and end.
            Event::Html(_) | Event::InlineHtml(_) => {}
            Event::Start(Tag::Link { dest_url, .. }) => {
                unlinked += 1;
                blocks.push(Event::InlineHtml(opening(&dest_url)));
            }
            Event::End(TagEnd::Link) => {
                unlinked -= 1;
                blocks.push(Event::InlineHtml("</a>".into()));
            }
            Event::Start(tag @ (Tag::CodeBlock(_) | Tag::Heading { .. })) => {
                unlinked += 1;
                blocks.push(Event::Start(tag));
            }
            Event::End(end @ (TagEnd::CodeBlock | TagEnd::Heading(_))) => {
                unlinked -= 1;
                blocks.push(Event::End(end));
            }
            Event::Text(text) if unlinked == 0 => blocks.push(link_clauses(text, game, letter)),
            other => blocks.push(other),
        }
    }
    name_clauses(&mut blocks, letter);
    drop_other_language(&mut blocks);
    let mut page = String::new();
    html::push_html(&mut page, blocks.into_iter());
    // Content that is wider than a phone scrolls, also by keyboard.
    page.replace("<pre>", "<pre tabindex=\"0\">").replace("<table>", "<table tabindex=\"0\">")
}

/// A link: another rule document is a page of the client. Other files of the repository are not,
/// and get no link.
fn opening(target: &str) -> CowStr<'static> {
    let (path, clause) = target.split_once('#').unwrap_or((target, ""));
    let game = GAMES.into_iter().find(|(game, _)| path.starts_with(&format!("{game}.")));
    let hash = if clause.is_empty() { String::new() } else { format!("#{clause}") };
    match game {
        Some((game, _)) => format!("<a href=\"/rules/{game}{hash}\">").into(),
        None if target.starts_with("https://") => format!("<a href=\"{target}\">").into(),
        None => "<a>".into(),
    }
}

/// Headings of clauses (`C8. What may be played`) get the clause as their id.
fn name_clauses(blocks: &mut [Event<'_>], letter: char) {
    for at in 1..blocks.len() {
        let (before, rest) = blocks.split_at_mut(at);
        let Event::Text(text) = &rest[0] else { continue };
        let Some(number) = text.strip_prefix(letter).and_then(|text| text.split_once('.')) else {
            continue;
        };
        if let Event::Start(Tag::Heading { level: HeadingLevel::H3, id, .. }) = &mut before[at - 1]
        {
            *id = Some(format!("{letter}{}", number.0).into());
        }
    }
}

/// The page has a language switch, so the line that links to the other language is dropped.
fn drop_other_language(blocks: &mut Vec<Event<'_>>) {
    let first = blocks.iter().position(|event| *event == Event::Start(Tag::Paragraph));
    let end = blocks.iter().position(|event| *event == Event::End(TagEnd::Paragraph));
    if let Some((first, end)) = first.zip(end)
        && blocks[first + 1] == Event::Start(Tag::Emphasis)
    {
        blocks.drain(first..=end);
    }
}

/// Text in which clauses are links.
fn link_clauses<'a>(text: CowStr<'a>, game: &str, letter: char) -> Event<'a> {
    let mut page = String::new();
    let mut rest: &str = &text;
    while let Some(at) = rest.find(letter) {
        let (before, found) = rest.split_at(at);
        let digits = found[1..].bytes().take_while(u8::is_ascii_digit).count();
        let (clause, after) = found.split_at(1 + digits);
        escape(before, &mut page);
        let within_word = before.ends_with(char::is_alphanumeric);
        if digits == 0 || within_word || after.starts_with(char::is_alphanumeric) {
            page.push_str(clause);
        } else {
            let _ = write!(page, "<a href=\"/rules/{game}#{clause}\">{clause}</a>");
        }
        rest = after;
    }
    if page.is_empty() {
        return Event::Text(text);
    }
    escape(rest, &mut page);
    Event::InlineHtml(page.into())
}

fn escape(text: &str, page: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => page.push_str("&amp;"),
            '<' => page.push_str("&lt;"),
            '>' => page.push_str("&gt;"),
            other => page.push(other),
        }
    }
}
