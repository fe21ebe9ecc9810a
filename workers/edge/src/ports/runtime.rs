//! The parts of the runtime that the `worker` crate does not bind, or binds at a price: calls to objects as methods
//! instead of HTTP, and fetches whose answer is read in one piece instead of chunk by chunk.

use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::Env;

use crate::failure::Failure;

#[wasm_bindgen]
extern "C" {
    /// A class of objects.
    type Namespace;
    #[wasm_bindgen(method, catch, js_name = getByName)]
    fn get_by_name(this: &Namespace, name: &str) -> Result<Stub, JsValue>;

    /// One object, or a bound Worker.
    pub type Stub;
    #[wasm_bindgen(method, catch)]
    fn receive(this: &Stub, subject: &str, body: &str) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn fetch(this: &Stub, url: &str, init: &web_sys::RequestInit) -> Result<js_sys::Promise, JsValue>;
}

fn binding(env: &Env, name: &str) -> Result<JsValue, Failure> {
    let value = js_sys::Reflect::get(env.as_ref(), &name.into())?;
    if value.is_undefined() {
        return Err(Failure::Configuration(format!("there is no binding {name}")));
    }
    Ok(value)
}

/// The object `name` of a class.
pub fn object(env: &Env, class: &str, name: &str) -> Result<Stub, Failure> {
    Ok(binding(env, class)?.unchecked_into::<Namespace>().get_by_name(name)?)
}

/// A bound Worker.
pub fn service(env: &Env, name: &str) -> Result<Stub, Failure> {
    Ok(binding(env, name)?.unchecked_into())
}

impl Stub {
    /// Sends a message to an object and waits for its answer, both JSON.
    pub async fn send(&self, subject: &str, body: &str) -> Result<String, Failure> {
        let answer = js_sys::Promise::resolve(&self.receive(subject, body)?);
        let answer = JsFuture::from(answer).await?;
        answer
            .as_string()
            .ok_or_else(|| Failure::Runtime("the object answered with something else than text".to_owned()))
    }

    /// Fetches from it.
    pub async fn get(&self, url: &str, init: &web_sys::RequestInit) -> Result<web_sys::Response, Failure> {
        Ok(JsFuture::from(self.fetch(url, init)?).await?.unchecked_into())
    }
}

/// A response's body as text.
pub async fn text(response: &web_sys::Response) -> Result<String, Failure> {
    Ok(JsFuture::from(response.text()?).await?.as_string().unwrap_or_default())
}

/// What a request sends: method, headers, body.
pub fn init(
    method: &str,
    headers: &[(&str, &str)],
    body: Option<&str>,
) -> Result<web_sys::RequestInit, Failure> {
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
