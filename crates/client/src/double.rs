//! A board in a script: answers each request with the next line of the script and remembers what it was asked. For what
//! a real board cannot be made to do on command, such as losing an answer.

use std::sync::{Arc, Mutex};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// One answer of the script.
pub(crate) enum Reply {
    /// A whole answer.
    Http { status: u16, headers: Vec<(&'static str, String)>, body: String },
    /// The request is read, and the connection closed without an answer.
    Silence,
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Asked {
    /// A header's value; names in lower case.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }
}

/// The running double.
pub(crate) struct Double {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Double {
    pub(crate) async fn start(script: Vec<Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(Mutex::new(Vec::new()));
        let memory = Arc::clone(&asked);
        tokio::spawn(async move {
            for reply in script {
                let (mut stream, _) = listener.accept().await.unwrap();
                let request = read(&mut stream).await;
                memory.lock().unwrap().push(request);
                if let Reply::Http { status, headers, body } = reply {
                    let mut text = format!(
                        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n",
                        body.len()
                    );
                    for (name, value) in headers {
                        text.push_str(&format!("{name}: {value}\r\n"));
                    }
                    text.push_str("\r\n");
                    text.push_str(&body);
                    stream.write_all(text.as_bytes()).await.unwrap();
                }
                stream.shutdown().await.ok();
            }
        });
        Self { url, asked }
    }

    /// What it has been asked, in order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

async fn read(stream: &mut TcpStream) -> Asked {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let asked = Asked { head: head.to_owned(), body: body.to_owned() };
            let length: usize = asked.header("content-length").map_or(0, |length| length.parse().unwrap());
            if body.len() >= length {
                return asked;
            }
        }
        let mut buffer = [0; 4096];
        let read = stream.read(&mut buffer).await.unwrap();
        bytes.extend_from_slice(&buffer[..read]);
    }
}
