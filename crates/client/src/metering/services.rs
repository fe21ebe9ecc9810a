//! Services: what is metered, and what it costs.

use api::wire::metering::{NewService, PriceBody, PricesAnswer, ServiceView, ServicesAnswer};
use primitives::ServiceName;
use reqwest::Method;

use super::{Metering, Page, put};
use crate::Error;

const CHANGING: &str = "changing the service";
const READING: &str = "reading the services";

/// Which services are listed.
#[derive(Debug, Clone, Default)]
pub struct ServiceFilter {
    /// Only those whose id begins so.
    pub prefix: Option<String>,
    /// Only those with this text.
    pub text: Option<String>,
    /// Only those that take no usage, or only those that do.
    pub disabled: Option<bool>,
}

impl Metering {
    /// Registers a service with its first price. The same again is refused as `service_exists`.
    ///
    /// # Errors
    /// [`Error::Refused`]: `service_exists`, a price that is none; and what every call can meet.
    pub async fn register(&self, wanted: &NewService) -> Result<ServiceView, Error> {
        self.say_once("registering the service", Method::POST, "v1/services", wanted).await
    }

    /// A page of the services, in the order of their ids.
    ///
    /// # Errors
    /// What every call can meet.
    pub async fn services(&self, filter: &ServiceFilter, page: &Page) -> Result<ServicesAnswer, Error> {
        let query = |url: &mut _| {
            put(url, "prefix", filter.prefix.as_ref());
            put(url, "q", filter.text.as_ref());
            put(url, "disabled", filter.disabled);
            page.write_to(url);
        };
        self.get(READING, "v1/services", query).await
    }

    /// A service.
    ///
    /// # Errors
    /// [`Error::Refused`] with `404`, and what every call can meet.
    pub async fn service(&self, service: &ServiceName) -> Result<ServiceView, Error> {
        self.get(READING, &format!("v1/services/{service}"), |_| {}).await
    }

    /// All prices that a service had, has and will have.
    ///
    /// # Errors
    /// As [`Metering::service`].
    pub async fn prices(&self, service: &ServiceName) -> Result<PricesAnswer, Error> {
        self.get(READING, &format!("v1/services/{service}/prices"), |_| {}).await
    }

    /// Gives a service a new price. What was used before keeps the one that it had.
    ///
    /// # Errors
    /// [`Error::Refused`]: a price that is none, or begins too early; else as [`Metering::service`].
    pub async fn set_price(&self, service: &ServiceName, price: &PriceBody) -> Result<ServiceView, Error> {
        self.say_once(CHANGING, Method::PATCH, &format!("v1/services/{service}/price"), price).await
    }

    /// Takes usage of a service again.
    ///
    /// # Errors
    /// As [`Metering::service`].
    pub async fn enable(&self, service: &ServiceName) -> Result<ServiceView, Error> {
        self.act(CHANGING, Method::POST, &format!("v1/services/{service}/enable")).await
    }

    /// Takes no usage of a service for now.
    ///
    /// # Errors
    /// As [`Metering::service`].
    pub async fn disable(&self, service: &ServiceName) -> Result<ServiceView, Error> {
        self.act(CHANGING, Method::POST, &format!("v1/services/{service}/disable")).await
    }

    /// Takes no usage of a service for ever. What was used is billed at the prices that it had.
    ///
    /// # Errors
    /// As [`Metering::service`].
    pub async fn delete(&self, service: &ServiceName) -> Result<ServiceView, Error> {
        self.act("deleting the service", Method::DELETE, &format!("v1/services/{service}")).await
    }
}
