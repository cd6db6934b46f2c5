//! Everything that can be asked for by its name: one table for the menus, the palette, the keys and the
//! page that explains them.

mod shortcut;
mod table;

use std::sync::Arc;

use palimpsest_core::export::{Conversion, Form, Texts};

pub(crate) use self::shortcut::Shortcut;
pub(super) use self::table::{MENUS, MODEL, PICTURE};
use super::{Show, compare};
use crate::command::{Command, CompareView, Look, ModelLook, PictureCommand, PictureMode, Shade};
use crate::files::Files;
use crate::grid::GridCommand;
use crate::session::{Front, PictureChoice, Session, Tier};
use crate::shadow::MapCommand;

/// Something that can be asked for.
#[derive(Debug)]
pub(crate) struct Action {
    pub(crate) name: &'static str,
    /// The first one stands in menus.
    pub(crate) keys: [Option<Shortcut>; 2],
    command: fn(&Session) -> Option<Command>,
}

impl Action {
    /// The command, where it makes sense at the moment.
    pub(crate) fn command(&self, session: &Session) -> Option<Command> {
        (self.command)(session)
    }

    /// The key, as it is written beside the name; empty where there is none.
    pub(super) fn key(&self) -> String {
        self.keys[0].as_ref().map(Shortcut::text).unwrap_or_default()
    }
}

/// A part of a menu.
#[derive(Debug)]
pub(super) enum Item {
    Action(Action),
    Line,
    /// What was mounted before.
    Recent,
    Menu(&'static str, &'static [Self]),
}

/// Every action, in the order of the menus.
pub(crate) fn all() -> Vec<&'static Action> {
    fn add(items: &'static [Item], all: &mut Vec<&'static Action>) {
        for item in items {
            match item {
                Item::Action(action) => all.push(action),
                Item::Menu(_, items) => add(items, all),
                Item::Line | Item::Recent => {}
            }
        }
    }
    let mut all = Vec::new();
    for (_, items) in &MENUS {
        add(items, &mut all);
    }
    all
}

/// Every key with its action, those first whose keys hold those of others.
pub(crate) fn shortcuts() -> Vec<(&'static Shortcut, &'static Action)> {
    let of = |action: &'static Action| action.keys.iter().flatten().map(move |key| (key, action));
    let mut all: Vec<_> = all().into_iter().flat_map(of).collect();
    all.sort_by_key(|(shortcut, _)| std::cmp::Reverse(shortcut.held()));
    all
}

/// Closes the tab that has the keys.
fn close(session: &Session) -> Option<Command> {
    match session.front() {
        Front::Map => Some(Command::Map(MapCommand::Close)),
        Front::Grid => Some(Command::Grid(GridCommand::Close)),
        Front::Path => session.active.map(Command::Close),
    }
}

/// Reads the bundles, where that was stopped.
fn read_bundles(session: &Session) -> Option<Command> {
    let is_open = session.stack().is_some_and(|stack| !stack.has_members());
    (is_open && session.bundles.is_none() && session.what_if.is_none()).then_some(Command::ReadBundles)
}

/// Extracts what the active tab shows.
fn extract(session: &Session) -> Option<Command> {
    Some(Command::PickExtractFolder(Files::Copy(session.active()?.copy_ref()?)))
}

/// Extracts the layer whose copy the active tab shows.
fn extract_layer(session: &Session) -> Option<Command> {
    let copy = session.active()?.copy_ref()?;
    Some(Command::PickExtractFolder(Files::Layer(copy.layer.into())))
}

/// Extracts what the search found.
fn extract_found(session: &Session) -> Option<Command> {
    let found = session.search.results.as_ref().filter(|found| !found.is_empty())?;
    Some(Command::PickExtractFolder(Files::Found(Arc::clone(found))))
}

/// Exports the texture that the active tab shows.
fn export(session: &Session, form: Form, is_joined: bool) -> Option<Command> {
    let open = session.active()?;
    let texture = open.shown_texture().filter(|_| !is_joined || open.picture.tiers.is_some())?;
    if form == Form::Exr && !texture.format.is_float() {
        return None;
    }
    // A picture is made of what is looked at.
    let is_shown_joined = open.picture.choice.tier == Tier::Joined && open.picture.tiers().is_some();
    let is_joined = is_joined || (form != Form::Dds && is_shown_joined);
    let conversion = Conversion { form, is_joined, ..Conversion::default() };
    Some(Command::PickExportFolder(Files::Copy(open.copy_ref()?), conversion))
}

/// Exports the textures that the search found.
fn export_found(session: &Session) -> Option<Command> {
    let found = session.search.results.as_ref().filter(|found| !found.is_empty())?;
    let conversion = Conversion { form: Form::Png, ..Conversion::default() };
    Some(Command::PickExportFolder(Files::Found(Arc::clone(found)), conversion))
}

/// Exports the mesh or the skeleton that the active tab shows.
fn export_model(session: &Session, form: Form) -> Option<Command> {
    let open = session.active()?;
    let asset = open.document()?.inspection.asset.as_ref().ok()?.as_ref()?;
    let conversion = Conversion { form, ..Conversion::default() };
    let copy = open.copy_ref().filter(|_| form.is_of(asset.kind()))?;
    Some(Command::PickExportFolder(Files::Copy(copy), conversion))
}

/// Exports the texts that the active tab shows, with the tables that stand beside them.
fn export_texts(session: &Session, form: Form) -> Option<Command> {
    let open = session.active()?;
    let copy = open.copy_ref().filter(|_| open.own_strings().is_some())?;
    let texts = Texts { beside: open.strings.beside, ..Texts::default() };
    Some(Command::PickExportFolder(Files::Copy(copy), Conversion { form, texts, ..Conversion::default() }))
}

/// Copies the path of the active tab.
fn copy_path(session: &Session) -> Option<Command> {
    let answer = session.active().map(|open| &open.answer);
    let answer = answer.or_else(|| session.active_comparison().map(|open| &open.answer))?;
    Some(Command::CopyText(answer.path.clone()))
}

/// Something that is done where a stack is mounted.
fn mounted(session: &Session, command: Command) -> Option<Command> {
    session.mounted.is_some().then_some(command)
}

/// Something that is done with the copy that the active tab shows.
fn shown(session: &Session, command: Command) -> Option<Command> {
    session.active().is_some().then_some(command)
}

/// Goes to another copy, of the active tab or on the left side of the comparison.
fn step_copy(session: &Session, by: isize) -> Option<Command> {
    session.active.map(|_| Command::StepCopy(by))
}

/// Goes to another difference.
fn step_difference(session: &Session, by: isize) -> Option<Command> {
    session.active_comparison().map(|_| Command::StepDifference(by))
}

/// Looks at two copies in another way.
fn view(session: &Session, view: CompareView) -> Option<Command> {
    let open = session.active_comparison()?;
    compare::applies(open, view).then_some(Command::ViewComparison(view))
}

/// Shows another slice of the texture of the active tab.
fn step_slice(session: &Session, by: i64) -> Option<Command> {
    let open = session.active()?;
    let texture = open.shown_texture()?;
    let choice = open.picture.choice;
    let next = u32::try_from(i64::from(choice.part.shown(texture)) + by).ok()?;
    if next >= texture.slice_count() {
        return None;
    }
    let part = choice.part.at(texture, next);
    Some(Command::Picture(open.id, PictureCommand::Show(PictureChoice { part, ..choice })))
}

/// Shows all slices of the texture of the active tab.
fn all_slices(session: &Session) -> Option<Command> {
    let open = session.active()?;
    let texture = open.shown_texture()?;
    (texture.slice_count() > 1).then_some(Command::Picture(open.id, PictureCommand::Sheet))
}

/// Shows the next tier of the texture of the active tab alone, and behind the last one all joined.
fn step_tier(session: &Session) -> Option<Command> {
    let open = session.active()?;
    let tiers = open.picture.tiers()?;
    let choice = open.picture.choice;
    let next = match choice.tier {
        Tier::Joined => 0,
        Tier::File(at) => at + 1,
    };
    let is_there = |at: &usize| tiers.files.get(*at).is_some_and(|file| matches!(file.texture, Some(Ok(_))));
    let tier = (next..tiers.files.len()).find(is_there).map_or(Tier::Joined, Tier::File);
    Some(Command::Picture(open.id, PictureCommand::Show(PictureChoice { tier, ..choice })))
}

/// Does something with the picture of the active tab, which is no comparison.
fn picture(session: &Session, wanted: Look) -> Option<Command> {
    session.active()?;
    look(session, wanted)
}

/// Makes colours of the values of the active tab's picture in another way.
fn shade(session: &Session, shade: Shade) -> Option<Command> {
    picture(session, Look::Shade(shade))
}

/// Looks at the mesh or the skeleton of the active tab in another way.
fn model(session: &Session, look: ModelLook) -> Option<Command> {
    session.active()?.model.drawable().map(|_| Command::Look(Look::Model(look)))
}

/// Does something with what is drawn of the mesh or the skeleton of the active tab.
fn model_drawn(session: &Session, wanted: Look) -> Option<Command> {
    session.active()?.model.drawable().map(|_| Command::Look(wanted))
}

/// Shows something of the mesh or the skeleton of the active tab, or not any more.
fn toggle(session: &Session, show: Show) -> Option<Command> {
    model(session, ModelLook::Toggle(show))
}

/// Looks at the picture of the active tab in another way; at a model where the same look makes sense.
fn look(session: &Session, look: Look) -> Option<Command> {
    let is_of_both =
        matches!(look, Look::Fit | Look::All | Look::LargerLevel | Look::SmallerLevel | Look::Exact);
    if is_of_both && session.active().is_some_and(|open| open.model.drawable().is_some()) {
        return Some(Command::Look(look));
    }
    let has_picture = match (session.active(), session.active_comparison()) {
        (Some(open), _) => open.document().is_some_and(|document| matches!(document.picture, Some(Ok(_)))),
        (None, Some(open)) => compare::applies(open, CompareView::Picture(PictureMode::default())),
        (None, None) => false,
    };
    has_picture.then_some(Command::Look(look))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_name_and_every_key_means_one_thing() {
        let all = all();
        let names: HashSet<_> = all.iter().map(|action| action.name).collect();
        assert_eq!(names.len(), all.len());
        let keys: Vec<_> = shortcuts().iter().map(|(shortcut, _)| shortcut.text()).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len(), "{keys:?}");
        assert!(all.iter().all(|action| action.keys[0].is_some() || action.keys[1].is_none()));
    }

    #[test]
    fn with_nothing_mounted_there_is_nothing_to_do_with_a_tab() {
        let session = Session::default();
        let open: Vec<_> = all().into_iter().filter(|action| action.command(&session).is_some()).collect();
        let names: Vec<_> = open.iter().map(|action| action.name).collect();
        assert!(names.contains(&"Open folder…") && names.contains(&"Quit"), "{names:?}");
        assert!(!names.contains(&"Close tab") && !names.contains(&"Why does this win?"), "{names:?}");
    }
}
