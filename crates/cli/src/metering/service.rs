//! `guildhall service …`: one function for each command.

use client::{
    metering::ServiceFilter,
    wire::metering::{NewService, PriceBody, ServiceView},
};

use super::{
    arguments::{ListServices, OneService, Register, Service, SetPrice},
    more, show,
};
use crate::{failure::Failure, output::Output};

/// Does one command on the board at `api`.
pub(crate) async fn run(api: &str, command: Service, output: &Output) -> Result<(), Failure> {
    match command {
        Service::Register(register) => self::register(api, register, output).await,
        Service::List(ListServices { prefix, text, page, keyed }) => {
            let filter = ServiceFilter { prefix, text, disabled: None };
            let answer = keyed.metering(api)?.services(&filter, &page.into()).await?;
            for service in &answer.services {
                output.say(show::service_line(service));
            }
            more(output, "Services", answer.services.len(), answer.next_cursor.as_deref());
            output.give(&answer)
        }
        Service::Show(OneService { service, keyed }) => {
            told(&keyed.metering(api)?.service(&service).await?, output)
        }
        Service::Price(SetPrice { service, price, from, keyed }) => {
            let body = PriceBody { price: None, pricing: Some(price.body()), effective_from: from };
            let metering = keyed.metering(api)?;
            told(&metering.set_price(&service, &body).await?, output)?;
            for price in metering.prices(&service).await?.prices {
                output.say(show::version(&price));
            }
            Ok(())
        }
        Service::Enable(OneService { service, keyed }) => {
            told(&keyed.metering(api)?.enable(&service).await?, output)
        }
        Service::Disable(OneService { service, keyed }) => {
            told(&keyed.metering(api)?.disable(&service).await?, output)
        }
        Service::Delete(OneService { service, keyed }) => {
            told(&keyed.metering(api)?.delete(&service).await?, output)
        }
    }
}

async fn register(api: &str, register: Register, output: &Output) -> Result<(), Failure> {
    let Register { service, price, scale, unit, shards, description, keyed } = register;
    let wanted = NewService {
        service_id: service.to_string(),
        price: None,
        pricing: Some(price.body()),
        scale,
        unit,
        shards,
        description,
        owner: None,
    };
    told(&keyed.metering(api)?.register(&wanted).await?, output)
}

fn told(service: &ServiceView, output: &Output) -> Result<(), Failure> {
    output.say(show::service(service));
    output.give(service)
}
