//! The registration of a service with a project.

use super::{
    filter::Filter,
    kind::ServiceKind,
    middleware::LOG_IN_PATH,
    plan::{About, CellValue, Column, NamedValue, Plan},
};
use std::net::SocketAddr;
use wiiiv_domain::{
    Authentication, BaseUrl, Field, FieldValue, HttpMethod, Operation, Parameter, ParameterPlace,
    Risk, Scalar, Scheme, System, SystemError, SystemName,
};

impl ServiceKind {
    pub fn system_name(self) -> Result<SystemName, SystemError> {
        SystemName::parse(self.name())
    }
    /// The registration of a service at this address, without its credential.
    pub fn system(self, address: SocketAddr) -> Result<System, SystemError> {
        let plan = self.plan();
        let system = System {
            version: System::VERSION,
            name: self.system_name()?,
            aliases: owned(plan.aliases),
            base_url: BaseUrl {
                scheme: Scheme::Http,
                host: address.ip().to_string(),
                port: Some(address.port()),
                segments: Vec::new(),
            },
            operations: operations(plan),
            authentication: Authentication::LogIn {
                path: LOG_IN_PATH.to_owned(),
                username_field: "username".to_owned(),
                password_field: "password".to_owned(),
                token_pointer: "/token".to_owned(),
            },
            any_path: false,
            risk: Risk::Low,
        };
        system.check()?;
        Ok(system)
    }
}

fn operations(plan: &Plan) -> Vec<Operation> {
    let lists = plan.lists.iter().map(|list| Operation {
        parameters: in_query(list.filters),
        fields: fields(plan, list.table),
        ..operation(&list.about, HttpMethod::Get, list.path)
    });
    let singles = plan.singles.iter().map(|single| Operation {
        parameters: vec![Parameter {
            name: "id".to_owned(),
            place: ParameterPlace::Path,
            required: true,
        }],
        fields: fields(plan, single.table),
        ..operation(&single.about, HttpMethod::Get, &format!("{}/{{id}}", single.path))
    });
    let searches = plan.searches.iter().map(|search| Operation {
        reads: true,
        fields: fields(plan, search.table),
        ..operation(&search.about, HttpMethod::Post, search.path)
    });
    let creates = plan.creates.iter().map(|create| Operation {
        fields: fields(plan, create.table),
        ..operation(&create.about, HttpMethod::Post, create.path)
    });
    lists.chain(singles).chain(searches).chain(creates).collect()
}

fn operation(about: &About, method: HttpMethod, path: &str) -> Operation {
    Operation {
        id: about.id.to_owned(),
        method,
        path: path.to_owned(),
        labels: owned(about.labels),
        reads: method.is_safe(),
        idempotent: false,
        parameters: Vec::new(),
        fields: Vec::new(),
        body: None,
    }
}

fn in_query(filters: &[Filter]) -> Vec<Parameter> {
    let parameter = |filter: &Filter| Parameter {
        name: filter.name.to_owned(),
        place: ParameterPlace::Query,
        required: false,
    };
    filters.iter().map(parameter).collect()
}

fn fields(plan: &Plan, table: &str) -> Vec<Field> {
    let columns = plan.columns.iter().find(|(name, _)| *name == table);
    let columns = columns.map_or(&[][..], |(_, columns)| *columns);
    columns.iter().map(field).collect()
}

fn field(column: &Column) -> Field {
    let value = |named: &NamedValue| FieldValue {
        value: match named.value {
            CellValue::Bool(value) => Scalar::Bool(value),
            CellValue::Number(value) => Scalar::Number(value),
            CellValue::Text(value) => Scalar::Text(value.to_owned()),
        },
        labels: owned(named.labels),
    };
    Field {
        name: column.name.to_owned(),
        labels: owned(column.labels),
        values: column.values.iter().map(value).collect(),
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}
