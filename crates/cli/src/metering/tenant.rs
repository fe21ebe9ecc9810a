//! `guildhall tenant …`: one function for each command.

use client::{
    Guildhall,
    wire::metering::{OpenTenant as Wanted, TenantView},
};
use serde_json::json;

use super::{
    arguments::{OpenTenant, Tenant},
    keyed::Vault,
    show,
};
use crate::{failure::Failure, keeping, output::Output};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Tenant, output: &Output) -> Result<(), Failure> {
    match command {
        Tenant::Open(open) => self::open(api, open, output).await,
        Tenant::Show(keyed) => {
            let tenant = keyed.metering(api)?.tenant().await?;
            output.say(show::tenant(&tenant));
            output.give(&tenant)
        }
    }
}

async fn open(api: &str, open: OpenTenant, output: &Output) -> Result<(), Failure> {
    let OpenTenant { name, pay_to, api_key_file, operator_token_file } = open;
    let operator = match &operator_token_file {
        Some(path) => Some(keeping::read(path, "operator's token")?.trim().to_owned()),
        None => None,
    };
    let board = Guildhall::new(api)?;
    let wanted = Wanted { name, pay_to: pay_to.map(|address| address.to_string()) };
    let vault = Vault::new(&api_key_file)?;
    let opening = board.open_tenant(operator.as_deref(), &wanted);
    let opened = vault.keep(opening, |opened| Some(&opened.api_key), output).await?;
    let tenant: &TenantView = &opened.tenant;
    output.say(show::tenant(tenant));
    // Without the key: it lies in the file, and nowhere else.
    output.made(&json!({ "tenant": tenant, "key": opened.key, "apiKeyFile": api_key_file }), &tenant.tenant)
}
