//! The Workers runtime, where the `worker` crate does not bind it or binds it at a price: messages to objects as method
//! calls instead of HTTP, bodies in one piece instead of chunk by chunk, headers in one crossing instead of many.
//!
//! What does not belong here: anything that knows what a message or an answer is about.

use futures_util::StreamExt as _;
use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::{Env, Error, Result};

#[wasm_bindgen]
extern "C" {
    /// A class of objects.
    type Namespace;
    #[wasm_bindgen(method, catch, js_name = getByName)]
    fn get_by_name(this: &Namespace, name: &str) -> core::result::Result<Stub, JsValue>;

    /// One object, or a bound Worker.
    pub type Stub;
    #[wasm_bindgen(method, catch)]
    fn receive(this: &Stub, subject: &str, body: &str) -> core::result::Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn fetch(
        this: &Stub,
        url: &str,
        init: &web_sys::RequestInit,
    ) -> core::result::Result<js_sys::Promise, JsValue>;
}

fn binding(env: &Env, name: &str) -> Result<JsValue> {
    let value = js_sys::Reflect::get(env.as_ref(), &name.into())?;
    if value.is_undefined() { Err(Error::BindingError(name.to_owned())) } else { Ok(value) }
}

/// The object `name` of a class.
///
/// # Errors
/// When the class is not bound.
pub fn object(env: &Env, class: &str, name: &str) -> Result<Stub> {
    Ok(binding(env, class)?.unchecked_into::<Namespace>().get_by_name(name)?)
}

/// A bound Worker.
///
/// # Errors
/// When it is not bound.
pub fn service(env: &Env, name: &str) -> Result<Stub> {
    Ok(binding(env, name)?.unchecked_into())
}

impl Stub {
    /// Sends a message to an object and waits for its answer, both text. The object's class has a method `receive`.
    ///
    /// # Errors
    /// When the object could not be reached, or failed.
    pub async fn send(&self, subject: &str, body: &str) -> Result<String> {
        let answer = js_sys::Promise::resolve(&self.receive(subject, body)?);
        let answer = JsFuture::from(answer).await?;
        answer
            .as_string()
            .ok_or_else(|| Error::RustError("the object answered with something else than text".to_owned()))
    }

    /// Fetches from an object or a Worker.
    ///
    /// # Errors
    /// When it could not be reached, or failed.
    pub async fn get(&self, url: &str, init: &web_sys::RequestInit) -> Result<web_sys::Response> {
        Ok(JsFuture::from(self.fetch(url, init)?).await?.unchecked_into())
    }
}

/// What a request sends: method, headers, body.
///
/// # Errors
/// When a header is not one.
pub fn init(method: &str, headers: &[(&str, &str)], body: Option<&str>) -> Result<web_sys::RequestInit> {
    let init = web_sys::RequestInit::new();
    init.set_method(method);
    let fields = web_sys::Headers::new()?;
    for (name, value) in headers {
        fields.set(name, value)?;
    }
    init.set_headers(&fields);
    if let Some(body) = body {
        init.set_body(&body.into());
    }
    Ok(init)
}

/// A response's body as text of at most `limit` bytes; `None` if it is longer.
///
/// # Errors
/// When it breaks off.
pub async fn bounded_answer(response: web_sys::Response, limit: usize) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut stream = worker::Response::from(response).stream()?;
    while let Some(chunk) = stream.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > limit {
            return Ok(None);
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A response's body as text.
///
/// # Errors
/// When it breaks off.
pub async fn text(response: &web_sys::Response) -> Result<String> {
    Ok(JsFuture::from(response.text()?).await?.as_string().unwrap_or_default())
}

/// A request's body as text of at most `limit` bytes; `None` if it is longer. What is not UTF-8 becomes U+FFFD.
///
/// # Errors
/// When it breaks off.
pub async fn bounded_text(request: &web_sys::Request, limit: usize) -> Result<Option<String>> {
    if request.body().is_none() {
        return Ok(Some(String::new()));
    }
    let announced = request.headers().get("content-length")?.and_then(|text| text.parse::<usize>().ok());
    if let Some(length) = announced {
        if length > limit {
            return Ok(None);
        }
        return Ok(Some(JsFuture::from(request.text()?).await?.as_string().unwrap_or_default()));
    }
    // Without an announced length, the body is read no further than the limit, chunk by chunk, which is slow.
    let mut bytes = Vec::new();
    let mut stream = worker::Request::from(request.clone()?).stream()?;
    while let Some(chunk) = stream.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > limit {
            return Ok(None);
        }
    }
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// A response. The headers cross into JavaScript as one JSON text: one crossing instead of one for each of them is a
/// tenth of the time of a small answer.
///
/// # Errors
/// When a header is not one.
pub fn respond<'a>(
    status: u16,
    headers: impl Iterator<Item = (&'a str, String)>,
    body: &str,
) -> Result<web_sys::Response> {
    let init = head(status, headers)?;
    let body = (!body.is_empty()).then(|| js_sys::Uint8Array::from(body.as_bytes()));
    Ok(web_sys::Response::new_with_opt_js_u8_array_and_init(body.as_ref(), &init)?)
}

/// A response with the status and the body of another, which goes on as it comes, and these headers.
///
/// # Errors
/// When a header is not one.
pub fn pass_on<'a>(
    response: &web_sys::Response,
    headers: impl Iterator<Item = (&'a str, String)>,
) -> Result<web_sys::Response> {
    let init = head(response.status(), headers)?;
    Ok(web_sys::Response::new_with_opt_readable_stream_and_init(response.body().as_ref(), &init)?)
}

fn head<'a>(status: u16, headers: impl Iterator<Item = (&'a str, String)>) -> Result<web_sys::ResponseInit> {
    let fields: Map<String, Value> = headers.map(|(name, value)| (name.to_owned(), value.into())).collect();
    let init = web_sys::ResponseInit::new();
    init.set_status(status);
    init.set_headers(&js_sys::JSON::parse(&Value::Object(fields).to_string())?);
    Ok(init)
}
