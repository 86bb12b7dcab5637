//! Help pages in both languages, read out of unpacked packages.

use std::collections::BTreeMap;
use std::path::Path;

use super::markup::{between, plain, without};
use super::packages;
use crate::fault::Fault;

/// Folders below the one that is looked through.
const LEVELS_MAX: usize = 12;

/// One page in one language.
pub struct Page {
    pub query: String,
    /// What it begins with; empty where that is the query.
    pub title: String,
    /// The title included.
    pub text: String,
}

/// By their paths below the folder of their language.
pub type Pages = BTreeMap<String, Page>;

/// One language's folder of pages, how their names end, and how one is read.
struct Source<'a> {
    folder: &'a Path,
    ending: &'a str,
    read: fn(&str) -> Option<Page>,
}

/// Korean pages, then English ones: a page's summary asks for it.
pub fn gnome(unpacked: &Path) -> Result<[Pages; 2], Fault> {
    let help = unpacked.join(packages::GNOME).join("usr/share/help");
    let pages = |language: &str| {
        Source { folder: &help.join(language), ending: ".page", read: of_gnome }.pages()
    };
    Ok([pages("ko")?, pages("C")?])
}

/// Korean pages, then English ones: a page's title asks for the rest of it.
pub fn libreoffice(unpacked: &Path) -> Result<[Pages; 2], Fault> {
    let pages = |package: &str, language: &str| {
        let text = format!("usr/share/libreoffice/help/{language}/text");
        let folder = unpacked.join(package).join(text);
        Source { folder: &folder, ending: ".html", read: of_libreoffice }.pages()
    };
    Ok([pages(packages::LIBREOFFICE_KO, "ko")?, pages(packages::LIBREOFFICE_EN, "en-US")?])
}

fn of_gnome(markup: &str) -> Option<Page> {
    let query = plain(between(markup, "<desc>", "</desc>")?);
    let shown = without(markup, "<info>", "</info>");
    let title = plain(between(&shown, "<title>", "</title>")?);
    Some(Page { query, title, text: plain(&shown) })
}

fn of_libreoffice(markup: &str) -> Option<Page> {
    let (_, title) = between(markup, "<h1", "</h1>")?.split_once('>')?;
    let shown = between(markup, "<div id=\"DisplayArea\"", "<div id=\"SearchFrame\"")?;
    let (_, shown) = shown.split_once('>')?;
    let (before, behind) = shown.split_once("<h1")?;
    let (_, behind) = behind.split_once("</h1>")?;
    let (query, text) = (plain(title), plain(&format!("{before} {behind}")));
    Some(Page { query, title: String::new(), text })
}

impl Source<'_> {
    fn pages(&self) -> Result<Pages, Fault> {
        let mut pages = Pages::new();
        self.add(self.folder, LEVELS_MAX, &mut pages)?;
        if pages.is_empty() {
            return Err(format!("`{}` has no pages", self.folder.display()).into());
        }
        Ok(pages)
    }

    fn add(&self, folder: &Path, levels: usize, pages: &mut Pages) -> Result<(), Fault> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && levels > 0 {
                self.add(&path, levels - 1, pages)?;
            }
            let name = path.strip_prefix(self.folder)?.to_string_lossy().into_owned();
            if path.is_file() && name.ends_with(self.ending) {
                let page = (self.read)(&std::fs::read_to_string(&path)?);
                pages.extend(page.map(|page| (name, page)));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_query_and_the_rest() {
        let gnome = "<page><info><desc>Ignore <key>keys</key></desc></info><title>Turn on</title><p>Open it.</p></page>";
        let page = of_gnome(gnome).expect("a page");
        let found = (&*page.query, &*page.title, &*page.text);
        assert_eq!(found, ("Ignore keys", "Turn on", "Turn on Open it."));
        let office = "<title>t</title><div id=\"DisplayArea\" x=\"y\"><a></a><h1 id=\"a\">First <b>steps</b></h1><p>Go on.</p>\
                      </div><div id=\"SearchFrame\">";
        let page = of_libreoffice(office).expect("a page");
        let found = (&*page.query, &*page.title, &*page.text);
        assert_eq!(found, ("First steps", "", "Go on."));
        assert!(of_gnome("<page></page>").is_none() && of_libreoffice("<h1>x</h1>").is_none());
    }
}
