//! Draws a page's content in mind: which text is shown where, and how large.

use super::{
    font::Font,
    lines::{Line, Lines, Run},
    matrix::Matrix,
    stream::Unpacking,
};
use crate::document::{limits::Limits, refused::DocumentRefused};
use hayro_syntax::{
    content::{Instruction, UntypedIter},
    object::{Array, Dict, Name, ObjRef, Object, Stream},
    page::{Page, Resources},
};
use std::{collections::BTreeMap, rc::Rc};

/// Contents within each other.
const FORMS_MAX: usize = 8;
/// States that a content may put aside.
const STATES_MAX: usize = 256;
/// Instructions of one document, of all its contents as often as they are drawn.
const INSTRUCTIONS_MAX: u64 = 20_000_000;
/// What is drawn from elsewhere costs as many: it is looked up each time.
const EXTERNAL_INSTRUCTIONS: u64 = 100;

/// Contents that are kept unpacked, and how large one may be.
const FORMS_CACHED_MAX: usize = 256;
const FORM_CACHED_BYTES_MAX: usize = 64 * 1024;

/// With its generation.
type ObjectNumber = (u32, i32);

/// What is known across pages.
pub(super) struct Drawing {
    unpacking: Unpacking,
    instructions: u64,
    fonts: BTreeMap<ObjectNumber, Rc<Font>>,
    /// Small ones, which may be drawn again and again.
    forms: BTreeMap<ObjectNumber, Rc<Vec<u8>>>,
    pictures: bool,
    glyphs: u64,
    /// Of them, those whose letter no table tells.
    unknown: u64,
}

impl Drawing {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            unpacking: Unpacking::new(limits),
            instructions: 0,
            fonts: BTreeMap::new(),
            forms: BTreeMap::new(),
            pictures: false,
            glyphs: 0,
            unknown: 0,
        }
    }

    pub(super) fn page(&mut self, page: &Page<'_>) -> Result<Vec<Line>, DocumentRefused> {
        let content = self.contents(page.raw())?;
        let mut lines = Lines::default();
        let start = State::new(Matrix::IDENTITY);
        self.content(&content, page.resources(), start, 0, &mut lines)?;
        Ok(lines.finish())
    }

    /// Of a document without a part.
    pub(super) fn why_empty(&self) -> DocumentRefused {
        if self.pictures { DocumentRefused::NoText } else { DocumentRefused::Empty }
    }

    pub(super) fn is_unreadable(&self) -> bool {
        self.unknown > 0 && self.unknown * 2 >= self.glyphs
    }

    /// A page's content may be divided anywhere between two words.
    fn contents(&mut self, page: &Dict<'_>) -> Result<Vec<u8>, DocumentRefused> {
        if let Some(stream) = page.get::<Stream<'_>>("Contents") {
            return self.unpacking.data(&stream);
        }
        let mut all = Vec::new();
        if let Some(streams) = page.get::<Array<'_>>("Contents") {
            for stream in streams.iter::<Stream<'_>>() {
                all.extend(self.unpacking.data(&stream)?);
                all.push(b' ');
            }
        }
        Ok(all)
    }

    fn content(
        &mut self,
        content: &[u8],
        resources: &Resources<'_>,
        state: State,
        depth: usize,
        lines: &mut Lines,
    ) -> Result<(), DocumentRefused> {
        let mut pen = Pen { state, states: Vec::new(), named: BTreeMap::new(), lines };
        let mut instructions = UntypedIter::new(content);
        while let Some(instruction) = instructions.next() {
            self.count(1)?;
            match &**instruction.operator {
                b"Do" => {
                    if let Some(name) = name(&instruction) {
                        self.external(name, resources, depth, &mut pen)?;
                    }
                }
                b"BI" => self.pictures = true,
                b"Tf" => {
                    if let Some(name) = name(&instruction) {
                        pen.state.font = self.font(name, resources, &mut pen.named)?;
                    }
                    pen.state.size = numbers(&instruction).first().copied().unwrap_or_default();
                }
                operator => self.text(operator, &instruction, &mut pen),
            }
        }
        Ok(())
    }

    fn count(&mut self, instructions: u64) -> Result<(), DocumentRefused> {
        self.instructions += instructions;
        if self.instructions > INSTRUCTIONS_MAX { Err(DocumentRefused::Bomb) } else { Ok(()) }
    }

    /// A picture, or a content of its own.
    fn external(
        &mut self,
        name: &Name<'_>,
        resources: &Resources<'_>,
        depth: usize,
        pen: &mut Pen<'_>,
    ) -> Result<(), DocumentRefused> {
        self.count(EXTERNAL_INSTRUCTIONS)?;
        let Some(stream) = resources.x_objects.get::<Stream<'_>>(name) else { return Ok(()) };
        let dict = stream.dict();
        match dict.get::<Name<'_>>("Subtype").as_deref() {
            Some(b"Image") => self.pictures = true,
            Some(b"Form") if depth < FORMS_MAX => {
                let own = dict.get::<Dict<'_>>("Resources").map(Resources::new);
                let placed = dict.get::<Array<'_>>("Matrix").and_then(|array| matrix(&array));
                let ctm = placed.unwrap_or(Matrix::IDENTITY).then(pen.state.ctm);
                let content = self.form(resources.x_objects.get_ref(name), &stream)?;
                let state = State::new(ctm);
                self.content(
                    &content,
                    own.as_ref().unwrap_or(resources),
                    state,
                    depth + 1,
                    pen.lines,
                )?;
            }
            Some(_) | None => {}
        }
        Ok(())
    }

    fn form(
        &mut self,
        id: Option<ObjRef>,
        stream: &Stream<'_>,
    ) -> Result<Rc<Vec<u8>>, DocumentRefused> {
        let id = id.map(number);
        if let Some(known) = id.and_then(|id| self.forms.get(&id)) {
            return Ok(known.clone());
        }
        let content = Rc::new(self.unpacking.data(stream)?);
        let small = content.len() <= FORM_CACHED_BYTES_MAX && self.forms.len() < FORMS_CACHED_MAX;
        if let Some(id) = id.filter(|_| small) {
            self.forms.insert(id, content.clone());
        }
        Ok(content)
    }

    fn font(
        &mut self,
        name: &Name<'_>,
        resources: &Resources<'_>,
        named: &mut BTreeMap<Vec<u8>, Option<Rc<Font>>>,
    ) -> Result<Option<Rc<Font>>, DocumentRefused> {
        if let Some(known) = named.get(&**name) {
            return Ok(known.clone());
        }
        let id = resources.fonts.get_ref(name).map(number);
        let known = id.and_then(|id| self.fonts.get(&id)).cloned();
        let font = match (known, resources.get_font(name)) {
            (Some(font), _) => Some(font),
            (None, Some(dict)) => Some(Rc::new(Font::read(&dict, &mut self.unpacking)?)),
            (None, None) => None,
        };
        if let Some((id, font)) = id.zip(font.clone()) {
            self.fonts.insert(id, font);
        }
        named.insert(name.to_vec(), font.clone());
        Ok(font)
    }

    fn text(&mut self, operator: &[u8], instruction: &Instruction<'_, '_>, pen: &mut Pen<'_>) {
        match operator {
            b"Tj" => self.strings(instruction, pen),
            b"'" | b"\"" => {
                if let ([word, char], b"\"") = (numbers(instruction).as_slice(), operator) {
                    (pen.state.word_space, pen.state.char_space) = (*word, *char);
                }
                pen.state.next_line();
                self.strings(instruction, pen);
            }
            b"TJ" => {
                let Some(Object::Array(array)) = instruction.operands().next() else { return };
                for item in array.iter::<Object<'_>>() {
                    match item {
                        Object::String(text) => self.show(&text, pen),
                        Object::Number(back) => {
                            pen.state.advance(-back.as_f64() / 1000.0 * pen.state.size)
                        }
                        _ => {}
                    }
                }
            }
            operator => pen.set(operator, &numbers(instruction)),
        }
    }

    fn strings(&mut self, instruction: &Instruction<'_, '_>, pen: &mut Pen<'_>) {
        for operand in instruction.operands() {
            if let Object::String(text) = operand {
                self.show(text, pen);
            }
        }
    }

    fn show(&mut self, bytes: &[u8], pen: &mut Pen<'_>) {
        let Some(font) = pen.state.font.clone() else { return };
        let State { size, char_space, word_space, .. } = pen.state;
        let shown = font.shown(bytes);
        self.glyphs += shown.count;
        self.unknown += shown.unknown;
        let spaces = shown.count_f64() * char_space + f64::from(shown.blanks) * word_space;
        let (from, across, quarter) = pen.state.origin();
        let height = pen.state.height();
        pen.state.advance(shown.width * size + spaces);
        let (to, _, _) = pen.state.origin();
        pen.lines.add(Run { text: shown.text, from, to, across, quarter, size: height });
    }
}

struct Pen<'l> {
    state: State,
    states: Vec<State>,
    /// Fonts by their names in this content.
    named: BTreeMap<Vec<u8>, Option<Rc<Font>>>,
    lines: &'l mut Lines,
}

impl Pen<'_> {
    fn set(&mut self, operator: &[u8], numbers: &[f64]) {
        let state = &mut self.state;
        match (operator, numbers) {
            (b"q", _) if self.states.len() < STATES_MAX => self.states.push(state.clone()),
            (b"Q", _) => *state = self.states.pop().unwrap_or_else(|| state.clone()),
            (b"cm", [a, b, c, d, e, f]) => {
                state.ctm = Matrix([*a, *b, *c, *d, *e, *f]).then(state.ctm);
            }
            (b"BT", _) => state.place(Matrix::IDENTITY),
            (b"Tm", [a, b, c, d, e, f]) => state.place(Matrix([*a, *b, *c, *d, *e, *f])),
            (b"Td", [x, y]) => state.move_by(*x, *y),
            (b"TD", [x, y]) => {
                state.leading = -y;
                state.move_by(*x, *y);
            }
            (b"T*", _) => state.next_line(),
            (b"Tc", [space]) => state.char_space = *space,
            (b"Tw", [space]) => state.word_space = *space,
            (b"Tz", [percent]) => state.stretch = percent / 100.0,
            (b"TL", [leading]) => state.leading = *leading,
            (b"Ts", [rise]) => state.rise = *rise,
            _ => {}
        }
    }
}

#[derive(Clone)]
struct State {
    ctm: Matrix,
    line: Matrix,
    text: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    char_space: f64,
    word_space: f64,
    /// Of the width, 1 for none.
    stretch: f64,
    leading: f64,
    rise: f64,
}

impl State {
    fn new(ctm: Matrix) -> Self {
        Self {
            ctm,
            line: Matrix::IDENTITY,
            text: Matrix::IDENTITY,
            font: None,
            size: 0.0,
            char_space: 0.0,
            word_space: 0.0,
            stretch: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }

    fn place(&mut self, at: Matrix) {
        (self.line, self.text) = (at, at);
    }

    fn move_by(&mut self, x: f64, y: f64) {
        self.place(Matrix::moved(x, y).then(self.line));
    }

    fn next_line(&mut self) {
        self.move_by(0.0, -self.leading);
    }

    fn advance(&mut self, by: f64) {
        self.text = Matrix::moved(by * self.stretch, 0.0).then(self.text);
    }

    /// Without the rise: a number above the line belongs to it.
    fn origin(&self) -> (f64, f64, u8) {
        self.text.then(self.ctm).origin()
    }

    fn height(&self) -> f64 {
        (self.size * self.text.then(self.ctm).height()).abs()
    }
}

fn name<'b, 'a>(instruction: &Instruction<'b, 'a>) -> Option<&'b Name<'a>> {
    instruction.operands().find_map(|operand| match operand {
        Object::Name(name) => Some(name),
        _ => None,
    })
}

fn numbers(instruction: &Instruction<'_, '_>) -> Vec<f64> {
    let number = |operand: &Object<'_>| match operand {
        Object::Number(number) => Some(number.as_f64()).filter(|number| number.is_finite()),
        _ => None,
    };
    instruction.operands().filter_map(number).collect()
}

fn matrix(array: &Array<'_>) -> Option<Matrix> {
    let numbers: Vec<f64> = array.iter::<f64>().take(6).collect();
    Some(Matrix(numbers.try_into().ok()?))
}

const fn number(id: ObjRef) -> ObjectNumber {
    (id.obj_number, id.gen_number)
}
