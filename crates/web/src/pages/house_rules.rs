//! House rules: a form generated from the rules, with a code that can be sent and typed.
//!
//! The rows are HTML with native controls and one listener, so that the size of the compiled page
//! does not depend on the number of options.

use std::fmt::Write;

use game::Rules;
use leptos::prelude::*;
use phrases::Phrases;
use replica::Route;
use table_view::house_rules;
use table_view::house_rules::{HouseRule, HouseRules as Form, Values};
use wasm_bindgen::JsCast;

use crate::pages::CopyButton;
use crate::text::{PhraseSignal, t, use_phrases};

#[component]
pub(crate) fn HouseRulesForm(
    /// The current rules.
    rules: Signal<Rules>,
    /// Chooses other rules.
    choose: Callback<Rules>,
    /// Whether the viewer may not change them.
    fixed: Signal<bool>,
    /// Whether the form also chooses the seats.
    seats: bool,
    /// Whether to offer a link to a new table with these rules.
    invites: bool,
    /// A code from the address, handled as if it was typed.
    typed: Option<String>,
) -> impl IntoView {
    let phrases = use_phrases();
    let faults = RwSignal::new(String::new());
    let wrong: Signal<String> = faults.into();
    let open = typed.is_some();
    if let Some(code) = typed {
        choose_code(&code, phrases, choose, faults);
    }
    let form = move |look: fn(&Form, &Phrases, bool) -> String| {
        phrases.with(|phrases| {
            let form = rules.with(|rules| Form::new(rules, phrases));
            look(&form, phrases, seats)
        })
    };
    let changed = move |event: leptos::ev::Event| {
        let input: web_sys::HtmlInputElement = event_target(&event);
        let (name, value) = (input.name(), input.value());
        match name.as_str() {
            "code" | "start" => choose_code(&value, phrases, choose, faults),
            option => match rules.get_untracked().with(option, &value) {
                Ok(chosen) => {
                    faults.set(String::new());
                    choose.run(chosen);
                }
                Err(why) => faults.set(phrases.with_untracked(|phrases| {
                    why.faults().iter().map(|fault| phrases.rules_fault(fault)).collect()
                })),
            },
        }
        restore_focus(name);
    };
    let link = Signal::derive(move || table_link(&rules.get()));
    view! {
        <details class="house" open=open>
            <summary>
                {t!(phrases, rules_form_title)} " " <small>{Signal::derive(move || form(unusual))}</small>
            </summary>
            <fieldset
                class="form"
                disabled=fixed
                inner_html=Signal::derive(move || form(written))
                on:change=changed
            ></fieldset>
            <p
                class="alert"
                role="alert"
                hidden=Signal::derive(move || faults.with(String::is_empty))
            >
                {wrong}
            </p>
            {invites.then(|| view! { <CopyButton text=link label=t!(phrases, rules_form_link) /> })}
        </details>
    }
}

/// Chooses the rules of a code, or sets what is wrong with it.
fn choose_code(
    code: &str,
    phrases: PhraseSignal,
    choose: Callback<Rules>,
    faults: RwSignal<String>,
) {
    match phrases.with_untracked(|phrases| house_rules::read(code, phrases)) {
        Ok(read) => {
            faults.set(String::new());
            choose.run(read);
        }
        Err(lines) => faults.set(lines.join("\n")),
    }
}

/// The link to a new table with these rules.
fn table_link(rules: &Rules) -> String {
    let origin = window().location().origin().unwrap_or_default();
    let route = Route::Friends { code: Some(rules.code()) };
    format!("{origin}{}", route.address())
}

/// The rows are replaced after a change, so the focus is restored.
fn restore_focus(name: String) {
    request_animation_frame(move || {
        let same = format!(".house [name='{name}']:is(:checked, [type=number], [type=text])");
        let found = document().query_selector(&same).ok().flatten();
        if let Some(input) = found.and_then(|found| found.dyn_into().ok()) {
            let input: web_sys::HtmlElement = input;
            let _ = input.focus();
        }
    });
}

/// The rows in which a value can be chosen.
fn asked(form: &Form, seats: bool) -> impl Iterator<Item = &HouseRule> {
    form.rows.iter().filter(move |row| row.is_open() && (seats || !row.is_seats()))
}

/// How many options differ from the defaults, in words.
fn unusual(form: &Form, phrases: &Phrases, seats: bool) -> String {
    phrases.rules_form_unusual(asked(form, seats).filter(|row| !row.usual).count())
}

/// The form as HTML. It contains nothing that a user typed: only phrases, names of options and a
/// canonical code.
fn written(form: &Form, phrases: &Phrases, seats: bool) -> String {
    let mut page = String::new();
    let starts: Vec<(String, String)> =
        form.presets.iter().map(|preset| (preset.rules.code(), preset.name.clone())).collect();
    write_group(&mut page, "start", &phrases.rules_form_start(), &Values::Few(starts), &form.code);
    page.push_str("</fieldset>");
    for row in asked(form, seats) {
        write_group(&mut page, row.option, &row.title, &row.values, &row.value);
        let game = if row.clause.starts_with('W') { "whist" } else { "cruce" };
        let clause = Route::Rules { game, clause: Some(row.clause.into()) }.address();
        let odd = if row.usual { "" } else { " odd" };
        let _ = write!(
            page,
            "<p class=\"hint{odd}\">{} <a href=\"{clause}\" target=\"_blank\">{}</a></p></fieldset>",
            row.means,
            phrases.the_rule(),
        );
    }
    let _ = write!(
        page,
        "<label><span>{}</span><input type=\"text\" id=\"code\" name=\"code\" value=\"{}\" \
         autocapitalize=\"off\" autocomplete=\"off\"></label>",
        phrases.rules_form_code(),
        form.code
    );
    page
}

/// Writes a group of controls, and leaves its fieldset open for a hint.
fn write_group(page: &mut String, name: &str, title: &str, values: &Values, now: &str) {
    let _ = write!(page, "<fieldset><legend>{title}</legend><div class=\"segments\">");
    match values {
        Values::Few(values) => {
            for (value, word) in values {
                let checked = if value == now { "checked" } else { "" };
                let _ = write!(
                    page,
                    "<label><input type=\"radio\" name=\"{name}\" value=\"{value}\" {checked}>\
                     {word}</label>"
                );
            }
        }
        Values::Number { least, most } => {
            let _ = write!(
                page,
                "<input type=\"number\" inputmode=\"numeric\" name=\"{name}\" min=\"{least}\" \
                 max=\"{most}\" value=\"{now}\" aria-label=\"{title}\">"
            );
        }
    }
    page.push_str("</div>");
}
